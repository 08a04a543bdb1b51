// The command line as others script it. Every expectation is a literal: a red pin asks whether the change was meant.
import { expect, test } from "vitest";
import { useOf } from "../../src/surfaces/cli/command.ts";
import { GLOBAL_OPTIONS, OPTIONS } from "../../src/surfaces/cli/options.ts";
import { COMMANDS } from "../../src/surfaces/cli/table.ts";

const PINNED_COMMANDS: Record<string, string> = {
  init: "objective! goal-id project dry-run",
  "goal add": "goal-id! objective! display-name state-file dry-run",
  "goal list": "limit cursor all",
  "goal show": "goal-id!",
  "goal stop": "goal-id! reason dry-run",
  "goal resume": "goal-id! dry-run",
  "goal remove": "goal-id! dry-run",
  "quota set":
    "goal-id root compute window-hours slot-minutes allowed-slots tokens wall-minutes profile limit-open-todos limit-running-tasks limit-runtime-bytes limit-event-bytes limit-cache-entries limit-cache-bytes dry-run",
  "agent add": "goal-id! agent-id! require-new dry-run execute",
  "register-agent": "goal-id! agent-id! require-new dry-run execute",
  "configure-goal":
    "goal-id! quota-compute quota-window-hours write-scope replace-write-scope clear-write-scope waiting-on clear-waiting-on agent-work-mode dry-run execute",
  refresh:
    "goal-id all watch agent-id agent-lane classification recommended-action next-action delivery-outcome delivery-batch-scale todo-id turn-instance-id progress-scope state-file dry-run",
  status: "goal-id agent-id limit cursor all fields watch status-projection-cache-ttl-seconds clear-cache",
  history: "goal-id limit cursor all",
  drift: "goal-id limit cursor all fix dry-run",
  archive: "goal-id! archive-root allow-registered dry-run execute",
  "archive-runtime": "goal-id! archive-root allow-registered dry-run execute",
  restore: "goal-id! archive-path archive-root dry-run",
  archives: "goal-id archive-root limit cursor",
  serve: "host port path interval require-token allow-host global-registry",
  launch:
    "agents agent goal-id host host-command-json validation-command-json accept-unvalidated workspace turns turn-timeout idle-exit grace max-load max-restarts backoff-min backoff-max session foreground detach register dry-run",
  "multi-agent launch":
    "spec! host-command-json validation-command-json accept-unvalidated workspace turns idle-exit session foreground register dry-run execute",
  "agents status": "session watch",
  "agents logs": "agent-id session follow",
  "agents stop": "session now",
  "agents wake": "agent-id session",
  registry: "",
  rebuild: "goal-id all",
  doctor: "fix dry-run",
  version: "",
};

const PINNED_COMMAND_ALIASES: Record<string, string> = {
  "goal add": "goals add",
  "goal list": "goals list",
  "goal show": "goals show",
  "goal stop": "goals stop",
  "goal resume": "goals resume",
  "goal remove": "goals remove",
  refresh: "refresh-state",
  archive: "runtime archive",
  serve: "serve-status",
  launch: "visible-multi-agent-launcher, agents launch",
};

const PINNED_WITHOUT_EFFECT: Record<string, string> = {
  refresh: "no-global-sync suppress-external-sinks project",
  status: "scan-path scan-root use-projection-cache write-projection-cache",
  serve: "scan-path scan-root limit",
};

const PINNED_OPTION_ALIASES: Record<string, readonly string[]> = {
  registry: ["registry-path"],
  "status-projection-cache-ttl-seconds": ["projection-cache-ttl-seconds"],
  interval: ["refresh-seconds"],
  session: ["session-name"],
};

test("commands and their options; ! marks a required one", () => {
  const found = COMMANDS.map((spec) => {
    const options = spec.options.map(useOf).map((use) => `${use.name}${use.required === true ? "!" : ""}`);
    return [spec.path.join(" "), options.join(" ")];
  });
  expect(Object.fromEntries(found)).toEqual(PINNED_COMMANDS);
});

test("other names of commands", () => {
  const found = COMMANDS.filter((spec) => spec.aliases !== undefined).map((spec) => [
    spec.path.join(" "),
    spec.aliases?.map((path) => path.join(" ")).join(", "),
  ]);
  expect(Object.fromEntries(found)).toEqual(PINNED_COMMAND_ALIASES);
});

test("options of the reference that are accepted without effect", () => {
  const found = COMMANDS.filter((spec) => spec.without_effect !== undefined).map((spec) => [
    spec.path.join(" "),
    spec.without_effect?.join(" "),
  ]);
  expect(Object.fromEntries(found)).toEqual(PINNED_WITHOUT_EFFECT);
});

test("options of every command, and other names of options", () => {
  expect(GLOBAL_OPTIONS).toEqual(["registry", "runtime-root", "format", "json", "verbose", "help", "version"]);
  const found = Object.entries(OPTIONS).filter(([, spec]) => spec.aliases !== undefined);
  expect(Object.fromEntries(found.map(([name, spec]) => [name, spec.aliases]))).toEqual(PINNED_OPTION_ALIASES);
});

test("words that options take", () => {
  const found = Object.entries(OPTIONS).flatMap(([name, spec]) =>
    spec.kind === "choice" ? [[name, spec.choices.join(" ")]] : [],
  );
  expect(Object.fromEntries(found)).toEqual({
    format: "markdown json",
    "delivery-outcome": "surface_only outcome_gap outcome_progress primary_goal_outcome",
    "delivery-batch-scale": "test_only single_surface multi_surface implementation",
    "progress-scope": "goal agent_lane",
    profile: "interactive batch",
    "waiting-on": "user_or_controller controller codex external_evidence monitor_signal",
  });
});

const AMOUNTS = [
  "window-hours",
  "quota-window-hours",
  "slot-minutes",
  "allowed-slots",
  "tokens",
  "wall-minutes",
  "limit-open-todos",
  "limit-running-tasks",
  "limit-runtime-bytes",
  "limit-event-bytes",
  "limit-cache-entries",
  "limit-cache-bytes",
];

test("bounds of numbers", () => {
  const found = Object.entries(OPTIONS).flatMap(([name, spec]) =>
    spec.kind === "number" ? [[name, [spec.min, spec.max, spec.bare ?? null]]] : [],
  );
  expect(Object.fromEntries(found)).toEqual({
    limit: [1, 10_000, null],
    watch: [0.1, 86_400, 5],
    "status-projection-cache-ttl-seconds": [-1, 2_592_000, null],
    port: [0, 65_535, null],
    interval: [0.1, 86_400, null],
    agents: [1, 64, null],
    "max-load": [0, 1000, null],
    "max-restarts": [0, 1000, null],
    "backoff-min": [0.01, 86_400, null],
    "backoff-max": [0.01, 86_400, null],
    compute: [0, 1, null],
    "quota-compute": [0, 1, null],
    ...Object.fromEntries(AMOUNTS.map((name) => [name, [0, Number.MAX_SAFE_INTEGER, null]])),
  });
});

test("texts that may be given several times", () => {
  const found = COMMANDS.flatMap((spec) =>
    spec.options.map(useOf).flatMap((use) => (use.repeatable === true ? [`${spec.path.join(" ")} ${use.name}`] : [])),
  );
  expect(found).toEqual([
    "agent add agent-id",
    "register-agent agent-id",
    "configure-goal write-scope",
    "configure-goal agent-work-mode",
    "launch agent",
    "launch goal-id",
  ]);
});

test("commands that take a goal, or an agent, as a word of its own", () => {
  const found = COMMANDS.filter((spec) => spec.positional !== undefined).map((spec) => spec.path.join(" "));
  expect(found).toEqual([
    "goal add",
    "goal show",
    "goal stop",
    "goal resume",
    "goal remove",
    "archive",
    "restore",
    "agents logs",
    "agents wake",
  ]);
});
