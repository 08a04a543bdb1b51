/** Every command. Only data: an adapter is loaded when its command runs. */
import type { CommandSpec } from "./command.ts";
import { AGENTS } from "./table-agents.ts";
import { PROVING } from "./table-evidence.ts";
import { LEASE_COMMANDS } from "./table-leases.ts";
import { SPENDING } from "./table-quota.ts";
import { READ_COMMANDS } from "./table-reads.ts";
import { SETTINGS } from "./table-settings.ts";
import { TEAM } from "./table-team.ts";
import { TODOS } from "./table-todos.ts";
import { CLAIM, DONE, DRIFT, HISTORY, NEXT, REFRESH, STATUS, VERSION } from "./table-turns.ts";

const GOAL = { name: "goal-id", required: true, about: "the goal" } as const;
const PAGE = ["limit", "cursor"] as const;

export const COMMANDS: readonly CommandSpec[] = [
  {
    path: ["init"],
    summary: "Make this folder a project, or add a goal to its project.",
    example: 'loopx init --objective "Ship the importer"',
    options: [
      { name: "objective", required: true },
      { name: "goal-id", about: "id of the goal (made from the folder's name)" },
      "project",
      "dry-run",
    ],
    load: async () => (await import("./commands/init.ts")).init,
  },
  {
    path: ["goal", "add"],
    aliases: [["goals", "add"]],
    summary: "Add a goal: registry entry and state file.",
    example: 'loopx goal add --goal-id importer --objective "Ship the importer"',
    options: [GOAL, { name: "objective", required: true }, "display-name", "state-file", "dry-run"],
    positional: "goal-id",
    load: async () => (await import("./commands/goal-add.ts")).goalAdd,
  },
  {
    path: ["goal", "list"],
    aliases: [["goals", "list"]],
    summary: "List the goals of the registry.",
    example: "loopx goal list --limit 20",
    options: [...PAGE, "all"],
    load: async () => (await import("./commands/goal-list.ts")).goalList,
  },
  {
    path: ["goal", "show"],
    aliases: [["goals", "show"]],
    summary: "Show one goal as its files declare it.",
    example: "loopx goal show --goal-id importer",
    options: [GOAL],
    positional: "goal-id",
    load: async () => (await import("./commands/goal-show.ts")).goalShow,
  },
  {
    path: ["goal", "stop"],
    aliases: [["goals", "stop"]],
    summary: "Stop a goal: it takes no runs until it is resumed.",
    example: 'loopx goal stop --goal-id importer --reason "Waits for the new API"',
    options: [GOAL, "reason", "dry-run"],
    positional: "goal-id",
    load: async () => (await import("./commands/goal-stop.ts")).goalStop,
  },
  {
    path: ["goal", "resume"],
    aliases: [["goals", "resume"]],
    summary: "Make a stopped goal active again.",
    example: "loopx goal resume --goal-id importer",
    options: [GOAL, "reason", "dry-run"],
    positional: "goal-id",
    load: async () => (await import("./commands/goal-resume.ts")).goalResume,
  },
  {
    path: ["goal", "remove"],
    aliases: [["goals", "remove"]],
    summary: "Take a goal out of the registry; its files stay.",
    example: "loopx goal remove --goal-id importer --dry-run",
    options: [GOAL, "dry-run"],
    positional: "goal-id",
    load: async () => (await import("./commands/goal-remove.ts")).goalRemove,
  },
  ...SETTINGS,
  ...SPENDING,
  ...AGENTS,
  REFRESH,
  NEXT,
  CLAIM,
  ...READ_COMMANDS,
  ...LEASE_COMMANDS,
  DONE,
  ...TODOS,
  ...PROVING,
  STATUS,
  HISTORY,
  DRIFT,
  {
    path: ["archive"],
    aliases: [["runtime", "archive"]],
    summary: "Move a goal's runtime data into the archive.",
    example: "loopx archive --goal-id importer --allow-registered",
    options: [
      GOAL,
      "archive-root",
      "allow-registered",
      "dry-run",
      { name: "execute", about: "--execute=false is the same as --dry-run" },
    ],
    positional: "goal-id",
    load: async () => (await import("./commands/archive.ts")).archive,
  },
  {
    path: ["archive-runtime"],
    reference: true,
    summary: "Preview archiving a goal; --execute does it.",
    example: "loopx archive-runtime --goal-id importer --allow-registered --execute",
    options: [GOAL, "archive-root", "allow-registered", "dry-run", { name: "execute", about: "move; without it only a preview" }],
    load: async () => (await import("./commands/archive.ts")).archiveRuntime,
  },
  {
    path: ["restore"],
    summary: "Put an archived goal back, byte for byte.",
    example: "loopx restore --goal-id importer",
    options: [GOAL, "archive-path", "archive-root", "dry-run"],
    positional: "goal-id",
    load: async () => (await import("./commands/restore.ts")).restore,
  },
  {
    path: ["archives"],
    summary: "List archives, newest first.",
    example: "loopx archives --goal-id importer",
    options: ["goal-id", "archive-root", ...PAGE],
    load: async () => (await import("./commands/archives.ts")).archives,
  },
  {
    path: ["serve"],
    aliases: [["serve-status"]],
    summary: "Serve status, drift, events and writes over HTTP.",
    example: "loopx serve --port 8765",
    options: ["host", "port", "path", "interval", "require-token", "allow-host", "global-registry"],
    without_effect: ["scan-path", "scan-root", "limit"],
    load: async () => (await import("./commands/serve.ts")).serve,
  },
  ...TEAM,
  {
    path: ["registry"],
    summary: "Show the registry in use and what is wrong with it.",
    example: "loopx registry --json",
    options: [],
    load: async () => (await import("./commands/registry.ts")).registry,
  },
  {
    path: ["rebuild"],
    summary: "Derive everything again from journal and files.",
    example: "loopx rebuild --goal-id importer",
    options: [
      { name: "goal-id", about: "the goal; or --all" },
      { name: "all", about: "every goal" },
    ],
    load: async () => (await import("./commands/rebuild.ts")).rebuild,
  },
  {
    path: ["doctor"],
    summary: "Check machine, store and files; say what cures them.",
    example: "loopx doctor --fix",
    options: ["fix", { name: "dry-run", about: "with --fix: show what it would do" }],
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  {
    path: ["sim"],
    summary: "Simulate agents on the real rules and check every step.",
    example: "loopx sim --seed 7 --hours 4",
    options: ["seed", { name: "agents", about: "agents in the world (4)" }, "hours", "todos"],
    load: async () => (await import("./commands/sim.ts")).sim,
  },
  VERSION,
];
