// The command line as others script it. Every expectation is a literal: a red pin asks whether the change was meant.
import { expect, test } from "vitest";
import { useOf } from "../../src/surfaces/cli/command.ts";
import { GLOBAL_OPTIONS, OPTIONS } from "../../src/surfaces/cli/options.ts";
import { COMMANDS } from "../../src/surfaces/cli/table.ts";
import {
  PINNED_TODO_COMMANDS,
  PINNED_TODO_NUMBERS,
  PINNED_TODO_REPEATABLE,
  PINNED_TODO_WORD_OF_ITS_OWN,
  PINNED_TODO_WORDS,
} from "./cli-surface-todos.ts";

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
  next: "goal-id agent-id turn-instance-id instance available-capability seen at",
  claim:
    "goal-id agent-id todo-id turn-instance-id instance ttl-seconds available-capability write-scope idempotency-key dry-run",
  done: "goal-id agent-id todo-id summary next no-follow-up reason lease-epoch turn-instance-id tokens wall-seconds slots no-cache task-lease-idempotency-key task-lease-expected-version dry-run",
  why: "goal-id agent-id instance available-capability at",
  "why-not": "todo-id! goal-id agent-id instance available-capability at",
  "quota should-run": "goal-id! agent-id turn-instance-id available-capability runtime-profile turn-envelope include-detail",
  "quota status": "goal-id limit cursor",
  "quota plan": "",
  "evidence-log": "goal-id! agent-id todo-id since limit thin",
  diagnose: "goal-id! agent-id available-capability",
  "lease renew":
    "goal-id! todo-id! agent-id owner lease-epoch expected-version idempotency-key ttl-seconds turn-instance-id dry-run",
  "lease transfer": "goal-id! todo-id! agent-id owner lease-epoch expected-version to! idempotency-key turn-instance-id dry-run",
  "lease release": "goal-id! todo-id! agent-id owner lease-epoch expected-version idempotency-key turn-instance-id dry-run",
  "lease show": "goal-id! todo-id!",
  "lease list": "goal-id! agent-id limit cursor",
  "task-lease acquire":
    "goal-id! todo-id! agent-id owner idempotency-key ttl-seconds write-scope turn-instance-id instance available-capability",
  "task-lease renew":
    "goal-id! todo-id! agent-id owner lease-epoch expected-version idempotency-key ttl-seconds turn-instance-id dry-run",
  "task-lease transfer":
    "goal-id! todo-id! agent-id owner lease-epoch expected-version to! idempotency-key turn-instance-id dry-run",
  "task-lease release": "goal-id! todo-id! agent-id owner lease-epoch expected-version idempotency-key turn-instance-id dry-run",
  "task-lease inspect": "goal-id! todo-id!",
  status: "goal-id agent-id limit cursor all fields watch at status-projection-cache-ttl-seconds clear-cache",
  history: "goal-id limit cursor all at",
  drift: "goal-id limit cursor all fix dry-run",
  archive: "goal-id! archive-root allow-registered dry-run execute",
  "archive-runtime": "goal-id! archive-root allow-registered dry-run execute",
  restore: "goal-id! archive-path archive-root dry-run",
  archives: "goal-id archive-root limit cursor",
  serve: "host port path interval require-token allow-host global-registry",
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
};

const PINNED_WITHOUT_EFFECT: Record<string, string> = {
  "quota should-run": "scan-root scan-path",
  refresh: "no-global-sync suppress-external-sinks project",
  status: "scan-path scan-root use-projection-cache write-projection-cache",
  serve: "scan-path scan-root limit",
};

const PINNED_OPTION_ALIASES: Record<string, readonly string[]> = {
  registry: ["registry-path"],
  "status-projection-cache-ttl-seconds": ["projection-cache-ttl-seconds"],
  interval: ["refresh-seconds"],
  next: ["next-agent-todo"],
  "no-follow-up": ["no-followup"],
};

test("commands and their options; ! marks a required one", () => {
  const found = COMMANDS.map((spec) => {
    const options = spec.options.map(useOf).map((use) => `${use.name}${use.required === true ? "!" : ""}`);
    return [spec.path.join(" "), options.join(" ")];
  });
  expect(Object.fromEntries(found)).toEqual({ ...PINNED_COMMANDS, ...PINNED_TODO_COMMANDS });
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
    ...PINNED_TODO_WORDS,
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
    "ttl-seconds": [0, 86_400, null],
    "lease-epoch": [1, 9_007_199_254_740_991, null],
    "expected-version": [1, 9_007_199_254_740_991, null],
    "task-lease-expected-version": [1, 9_007_199_254_740_991, null],
    slots: [0, 1_000_000, null],
    "wall-seconds": [0, 31_536_000, null],
    port: [0, 65_535, null],
    interval: [0.1, 86_400, null],
    compute: [0, 1, null],
    "quota-compute": [0, 1, null],
    ...PINNED_TODO_NUMBERS,
    ...Object.fromEntries(AMOUNTS.map((name) => [name, [0, Number.MAX_SAFE_INTEGER, null]])),
  });
});

test("texts that may be given several times", () => {
  const found = COMMANDS.flatMap((spec) =>
    spec.options.map(useOf).flatMap((use) => (use.repeatable === true ? [`${spec.path.join(" ")} ${use.name}`] : [])),
  );
  expect([...found].sort()).toEqual(
    [
      "agent add agent-id",
      "register-agent agent-id",
      "configure-goal write-scope",
      "configure-goal agent-work-mode",
      "claim write-scope",
      "task-lease acquire write-scope",
      "done next",
      ...PINNED_TODO_REPEATABLE,
    ].sort(),
  );
});

test("commands that take a goal or a todo as a word of its own", () => {
  const found = COMMANDS.filter((spec) => spec.positional !== undefined).map((spec) => spec.path.join(" "));
  expect([...found].sort()).toEqual(
    [
      "goal add",
      "goal show",
      "goal stop",
      "goal resume",
      "goal remove",
      "why-not",
      "lease renew",
      "lease transfer",
      "lease release",
      "lease show",
      "lease list",
      "archive",
      "restore",
      ...PINNED_TODO_WORD_OF_ITS_OWN,
    ].sort(),
  );
});
