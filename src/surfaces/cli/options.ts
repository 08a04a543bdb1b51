/**
 * Every option of every command. A name means the same wherever it is accepted, so that it can stand before the command too.
 *
 * O1  One kind for each name and each alias: whether the next word is a value never depends on the command.
 */
import type { OptionSpec } from "./option.ts";
import { TODO_OPTIONS } from "./options-todos.ts";

const LIST_LIMIT = { min: 1, max: 10_000, whole: true } as const;
const DAY_SECONDS = 86_400;
const SHARE = { min: 0, max: 1, whole: false } as const;
const AMOUNT = { min: 0, max: Number.MAX_SAFE_INTEGER, whole: false } as const;
const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER, whole: true } as const;

const ALL = {
  registry: { kind: "text", value: "PATH", aliases: ["registry-path"], about: "registry file; found upwards when left out" },
  "runtime-root": { kind: "text", value: "DIR", about: "runtime data; named by the registry when left out" },
  format: { kind: "choice", choices: ["markdown", "json"], about: "form of the answer (markdown)" },
  json: { kind: "flag", about: "same as --format json" },
  verbose: { kind: "flag", about: "log to stderr, progress also without a terminal" },
  help: { kind: "flag", about: "this text" },
  version: { kind: "flag", about: "version of loopx" },

  "goal-id": { kind: "text", value: "ID", about: "one goal" },
  "agent-id": { kind: "text", value: "ID", about: "the agent this is about" },
  all: { kind: "flag", about: "every goal, not one page" },
  limit: { kind: "number", value: "N", ...LIST_LIMIT, about: "rows of a page" },
  cursor: { kind: "text", value: "CURSOR", about: "start of the page, from left_out of the last one" },
  fields: { kind: "list", value: "A,B", about: "only these fields of each goal (JSON)" },
  watch: {
    kind: "number",
    value: "SECONDS",
    min: 0.1,
    max: DAY_SECONDS,
    whole: false,
    bare: 5,
    about: "again every so often (5) until Ctrl-C",
  },
  "dry-run": { kind: "flag", about: "show what would happen, write nothing" },
  execute: { kind: "flag", about: "write" },
  fix: { kind: "flag", about: "repair what is safe to repair" },

  objective: { kind: "text", value: "TEXT", about: "what the goal is for" },
  "display-name": { kind: "text", value: "TEXT", about: "name shown to people" },
  project: { kind: "text", value: "DIR", about: "project folder (current folder)" },
  "state-file": { kind: "text", value: "PATH", about: "state file of the goal, inside the project" },
  reason: { kind: "text", value: "TEXT", about: "why, shown with the goal" },
  operation: { kind: "choice", choices: ["stop", "resume"], about: "what becomes of the goal" },

  "agent-lane": { kind: "text", value: "LANE", about: "lane of the agent; needs --agent-id" },
  classification: { kind: "text", value: "WORD", about: "what kind of run (state_refreshed)" },
  "recommended-action": { kind: "text", value: "TEXT", about: "what to do next, for the record" },
  "next-action": { kind: "text", value: "TEXT", about: "replace Next Action in the state file" },
  "delivery-outcome": {
    kind: "choice",
    choices: ["surface_only", "outcome_gap", "outcome_progress", "primary_goal_outcome"],
    about: "what the delivery reached",
  },
  "delivery-batch-scale": {
    kind: "choice",
    choices: ["test_only", "single_surface", "multi_surface", "implementation"],
    about: "how much was delivered",
  },
  "todo-id": { kind: "text", value: "ID", about: "the todo worked on" },
  "turn-instance-id": { kind: "text", value: "ID", about: "the turn; a second refresh of it adds nothing" },
  "progress-scope": { kind: "choice", choices: ["goal", "agent_lane"], about: "whose progress this is" },

  instance: { kind: "text", value: "NAME", about: "which execution of the agent this is" },
  "available-capability": { kind: "list", value: "A,B", about: "what the agent can do beyond shell and files" },
  at: { kind: "text", value: "SEQ|TIME", about: "as right after that event, or by that time" },
  seen: { kind: "text", value: "TOKEN", about: "token of what was told last: not told again" },
  "ttl-seconds": { kind: "number", value: "N", min: 0, max: DAY_SECONDS, whole: false, about: "how long a lease runs (2700)" },
  "idempotency-key": { kind: "text", value: "KEY", about: "the same key carries out the same request once" },
  "lease-epoch": {
    kind: "number",
    value: "N",
    min: 1,
    max: 9_007_199_254_740_991,
    whole: true,
    about: "fencing number of the lease",
  },
  "task-lease-idempotency-key": { kind: "text", value: "KEY", about: "key the lease was taken with" },
  "task-lease-expected-version": {
    kind: "number",
    value: "N",
    min: 1,
    max: 9_007_199_254_740_991,
    whole: true,
    about: "version of the lease",
  },
  "expected-version": {
    kind: "number",
    value: "N",
    min: 1,
    max: 9_007_199_254_740_991,
    whole: true,
    about: "version of the lease as you know it",
  },
  owner: { kind: "text", value: "ID", about: "same as --agent-id" },
  to: { kind: "text", value: "ID", about: "the agent that gets the lease" },
  summary: { kind: "text", value: "TEXT", about: "what was done" },
  next: { kind: "text", value: "TEXT", about: "a todo that comes next; may be repeated", aliases: ["next-agent-todo"] },
  "no-follow-up": { kind: "flag", about: "nothing comes next; needs --reason", aliases: ["no-followup"] },
  slots: { kind: "number", value: "N", min: 0, max: 1_000_000, whole: true, about: "slots the turn took (1)" },
  "wall-seconds": { kind: "number", value: "N", min: 0, max: 31_536_000, whole: false, about: "wall time the turn took (0)" },
  "no-cache": { kind: "flag", about: "run the checks also where they passed before" },

  ...TODO_OPTIONS,

  label: { kind: "text", value: "TEXT", about: "what was checked, in a few words" },
  "command-json": { kind: "text", value: "JSON", about: "what was run, as a JSON list of arguments" },
  "exit-code": { kind: "number", value: "N", min: -2_147_483_648, max: 4_294_967_295, whole: true, about: "how it ended" },
  "duration-seconds": { kind: "number", value: "N", min: 0, max: 31_536_000, whole: false, about: "how long it took" },
  output: { kind: "text", value: "TEXT", about: "what it printed" },
  "output-file": { kind: "text", value: "PATH", about: "a file with what it printed" },
  "with-output": { kind: "flag", about: "what it printed, too" },
  note: { kind: "text", value: "TEXT", about: "what else there is to say" },
  seq: { kind: "number", value: "SEQ", min: 1, max: 9_007_199_254_740_991, whole: true, about: "number of the event" },

  /** Which words it takes depends on the command, which judges them. */
  kind: { kind: "text", value: "WORD", about: "which kind" },
  capability: { kind: "text", value: "NAME", about: "of this capability alone" },
  "max-entries": { kind: "number", value: "N", ...COUNT, about: "as many may stay" },
  "max-bytes": { kind: "number", value: "N", ...COUNT, about: "as much may stay" },
  "older-than": { kind: "number", value: "DAYS", ...AMOUNT, about: "what was not used for so many days goes" },

  source: {
    kind: "choice",
    choices: ["heartbeat", "controller", "adapter", "visible-goal"],
    about: "who spends (heartbeat)",
  },
  "void-seq": { kind: "number", value: "N", min: 1, max: 9_007_199_254_740_991, whole: true, about: "number of the spend" },
  "void-generated-at": { kind: "text", value: "TIME", about: "time of the spend" },
  minutes: { kind: "number", value: "N", min: 0.1, max: 44_640, whole: false, about: "how long, from now" },

  "runtime-profile": { kind: "text", value: "NAME", about: "the host that asks; told back, decides nothing" },
  "turn-envelope": { kind: "flag", about: "only what a turn needs" },
  "include-detail": { kind: "list", value: "A,B", about: "with the rule and its facts" },
  since: { kind: "text", value: "TIME", about: "nothing older" },
  thin: { kind: "flag", about: "without what was said" },

  "host-command-json": { kind: "text", value: "JSON", about: "command to run, in place of the todo's" },
  "validation-command-json": { kind: "text", value: "JSON", about: "has to end well before a todo is done" },
  "accept-unvalidated": { kind: "flag", about: "also todos without any check" },
  workspace: { kind: "text", value: "DIR", about: "where the host works (the goal's folder)" },
  turns: { kind: "number", value: "N", min: 1, max: 1_000_000, whole: true, aliases: ["max-turns"], about: "turns at most (1)" },
  "until-idle": { kind: "flag", about: "turn after turn until nothing can be done" },
  "turn-timeout": { kind: "number", value: "S", min: 0.1, max: DAY_SECONDS, whole: false, about: "seconds a turn may take" },
  "turn-idle-timeout": {
    kind: "number",
    value: "S",
    min: 0.1,
    max: DAY_SECONDS,
    whole: false,
    about: "seconds a host may print nothing (no limit)",
  },
  "idle-exit": { kind: "text", value: "S|never", about: "seconds to wait when nothing can be done" },
  grace: { kind: "number", value: "S", min: 0, max: 3600, whole: false, about: "seconds between asking to end and ending" },
  "log-dir": { kind: "text", value: "DIR", about: "where the output of hosts is kept" },
  "retry-host": { kind: "flag", about: "run the host again for a turn that was cut off" },
  worker: { kind: "flag", about: "for a supervisor: reports and orders as lines" },
  "input-tokens": { kind: "number", value: "N", ...COUNT, about: "tokens the turn read" },
  "output-tokens": { kind: "number", value: "N", ...COUNT, about: "tokens the turn wrote" },

  root: { kind: "flag", about: "for all goals of the registry" },
  profile: { kind: "choice", choices: ["interactive", "batch"], about: "which limits hold: interactive, batch" },
  compute: { kind: "number", value: "N", ...SHARE, about: "share of the window, 0 to 1; 0 pauses" },
  "window-hours": { kind: "number", value: "N", ...AMOUNT, about: "length of the window (24)" },
  "slot-minutes": { kind: "number", value: "N", ...AMOUNT, about: "length of a slot (1)" },
  "allowed-slots": { kind: "number", value: "N", ...COUNT, about: "slots in a window (from the share)" },
  tokens: { kind: "number", value: "N", ...COUNT, about: "tokens in a window" },
  "wall-minutes": { kind: "number", value: "N", ...AMOUNT, about: "minutes of work in a window" },
  "limit-open-todos": { kind: "number", value: "N", ...COUNT, about: "open todos; 0: no limit" },
  "limit-running-tasks": { kind: "number", value: "N", ...COUNT, about: "tasks at once; 0: no limit" },
  "limit-runtime-bytes": { kind: "number", value: "N", ...COUNT, about: "runtime data; 0: no limit" },
  "limit-event-bytes": { kind: "number", value: "N", ...COUNT, about: "one event; 0: no limit" },
  "limit-cache-entries": { kind: "number", value: "N", ...COUNT, about: "cached results; 0: no limit" },
  "limit-cache-bytes": { kind: "number", value: "N", ...COUNT, about: "cached results; 0: no limit" },

  "quota-compute": { kind: "number", value: "N", ...SHARE, about: "share of the window, 0 to 1; 0 pauses" },
  "quota-window-hours": { kind: "number", value: "N", ...AMOUNT, about: "length of the window (24)" },
  "write-scope": { kind: "text", value: "GLOB", about: "paths that may be written to; repeatable" },
  "replace-write-scope": { kind: "flag", about: "instead of the scopes that are there" },
  "clear-write-scope": { kind: "flag", about: "no scope at all" },
  "waiting-on": {
    kind: "choice",
    choices: ["user_or_controller", "controller", "codex", "external_evidence", "monitor_signal"],
    about: "who has to act",
  },
  "clear-waiting-on": { kind: "flag", about: "follow the latest run again" },
  "agent-work-mode": { kind: "text", value: "A=M", about: "active or monitor_only for an agent; repeatable" },
  "require-new": { kind: "flag", about: "refuse an agent that is there already" },

  seed: { kind: "number", value: "N", min: 0, max: 9_007_199_254_740_991, whole: true, about: "what chance begins with (1)" },
  hours: { kind: "number", value: "H", min: 0.1, max: 10_000, whole: false, about: "hours that are simulated (24)" },
  todos: { kind: "number", value: "N", min: 0, max: 1000, whole: true, about: "todos that the goal begins with (24)" },
  agents: { kind: "number", value: "N", min: 1, max: 64, whole: true, about: "so many agents, agent-1 and so on" },
  agent: { kind: "text", value: "ID", about: "this agent; repeatable" },
  "max-load": { kind: "number", value: "N", min: 0, max: 1000, whole: false, about: "load per core above which none is started" },
  "max-restarts": { kind: "number", value: "N", min: 0, max: 1000, whole: true, about: "failures of an agent in 10 minutes (8)" },
  "backoff-min": {
    kind: "number",
    value: "SECONDS",
    min: 0.01,
    max: DAY_SECONDS,
    whole: false,
    about: "first wait after a failure (1)",
  },
  "backoff-max": {
    kind: "number",
    value: "SECONDS",
    min: 0.01,
    max: DAY_SECONDS,
    whole: false,
    about: "longest wait after failures (300)",
  },
  session: { kind: "text", value: "NAME", aliases: ["session-name"], about: "name of the team (team)" },
  foreground: { kind: "flag", about: "supervise here until the team is over" },
  detach: { kind: "flag", about: "supervise in the background" },
  register: { kind: "flag", about: "register agents that a goal does not know" },
  now: { kind: "flag", about: "do not let turns finish" },
  follow: { kind: "flag", about: "go on as it is printed (-f)" },
  spec: { kind: "text", value: "PATH", about: "launch spec of the reference" },

  "archive-root": { kind: "text", value: "DIR", about: "where archives go (archived-goals)" },
  "archive-path": { kind: "text", value: "DIR", about: "this archive (the newest)" },
  "allow-registered": { kind: "flag", about: "also a registered goal, which is then stopped" },

  "status-projection-cache-ttl-seconds": {
    kind: "number",
    value: "N",
    min: -1,
    max: 30 * DAY_SECONDS,
    whole: false,
    aliases: ["projection-cache-ttl-seconds"],
    about: "oldest cached answer; ≤ 0: none",
  },
  "clear-cache": { kind: "flag", about: "empty the status cache first" },

  host: { kind: "text", value: "HOST", about: "address to listen on (127.0.0.1)" },
  port: { kind: "number", value: "N", min: 0, max: 65_535, whole: true, about: "port; 0 takes a free one (8765)" },
  path: { kind: "text", value: "PATH", about: "one more path for the status" },
  interval: {
    kind: "number",
    value: "SECONDS",
    min: 0.1,
    max: DAY_SECONDS,
    whole: false,
    aliases: ["refresh-seconds"],
    about: "time between looks at the files (5)",
  },
  "require-token": { kind: "flag", about: "reads need the token too, as on other addresses" },
  "allow-host": { kind: "list", value: "NAME", about: "one more name to answer to" },
  "global-registry": { kind: "flag", about: "serve the registry of the runtime root" },

  "scan-path": { kind: "list", value: "PATH", about: "no effect" },
  "scan-root": { kind: "text", value: "DIR", about: "no effect" },
  "use-projection-cache": { kind: "flag", about: "no effect" },
  "write-projection-cache": { kind: "flag", about: "no effect" },
  "no-global-sync": { kind: "flag", about: "no effect" },
  "suppress-external-sinks": { kind: "flag", about: "no effect" },
} as const;

export type OptionName = keyof typeof ALL;

export const OPTIONS: Readonly<Record<OptionName, OptionSpec>> = ALL;

type Named<Kind extends OptionSpec["kind"]> = {
  [Name in OptionName]: (typeof ALL)[Name]["kind"] extends Kind ? Name : never;
}[OptionName];

export type TextName = Named<"text" | "choice">;
export type NumberName = Named<"number">;
export type FlagName = Named<"flag">;
export type ListName = Named<"list">;

/** Accepted by every command. */
export const GLOBAL_OPTIONS: readonly OptionName[] = ["registry", "runtime-root", "format", "json", "verbose", "help", "version"];

/** Spelling (name or alias) to name. */
export function optionNamed(spelling: string): OptionName | null {
  if (Object.hasOwn(OPTIONS, spelling)) return spelling as OptionName;
  for (const [name, spec] of Object.entries(OPTIONS)) {
    if (spec.aliases?.includes(spelling) === true) return name as OptionName;
  }
  return null;
}

/** Every way to write the option, without the dashes. */
export function spellings(name: OptionName): readonly string[] {
  return [name, ...(OPTIONS[name].aliases ?? [])];
}
