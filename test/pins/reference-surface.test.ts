// What scripts and agents that use the reference rely on every day, as literals: one test a row, against the built program.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ReferenceProject, referenceProject } from "./reference-project.ts";

let project: ReferenceProject;
beforeAll(() => {
  project = referenceProject();
});
afterAll(() => project.remove());

const DRY = ["--format", "json", "refresh-state", "--goal-id", "orchard", "--dry-run"] as const;

describe("refresh-state takes", () => {
  test.each<[readonly string[], Record<string, unknown>]>([
    [[], { ok: true, dry_run: true, appended: false, classification: "state_refreshed", progress_scope: "goal", agent_id: null }],
    [["--no-global-sync"], { ok: true }],
    [["--suppress-external-sinks"], { ok: true }],
    [["--project", "."], { ok: true }],
    [["--classification", "run_validation"], { classification: "run_validation" }],
    [
      ["--recommended-action", "Water the trees."],
      { recommended_action: "Water the trees.", recommended_action_source: "explicit_arg" },
    ],
    [
      ["--next-action", "Prune  the\ttrees."],
      {
        recommended_action: "Prune the trees.",
        active_state_next_action_update: {
          schema_version: "active_state_next_action_update_v0",
          source: "refresh_state",
          next_action: "Prune the trees.",
          updated: false,
          would_update: true,
          dry_run: true,
        },
      },
    ],
    [
      ["--next-action", "Graft the young pear trees."],
      { active_state_next_action_update: expect.objectContaining({ updated: false, would_update: false }) },
    ],
    [["--agent-id", "gardener"], { agent_id: "gardener", agent_lane: "gardener", progress_scope: "agent_lane" }],
    [["--agent-id", "gardener", "--agent-lane", "pruning"], { agent_lane: "pruning", progress_scope: "agent_lane" }],
    [["--agent-id", "gardener", "--progress-scope", "goal"], { agent_lane: null, progress_scope: "goal" }],
    [["--delivery-outcome", "outcome_progress"], { delivery_outcome: "outcome_progress" }],
    [["--delivery-batch-scale", "single_surface"], { delivery_batch_scale: "single_surface" }],
    [["--todo-id", "todo_graft_pears"], { todo_id: "todo_graft_pears" }],
    [["--turn-instance-id", "turn-7"], { turn_instance_id: "turn-7" }],
    [["--state-file", ".codex/goals/orchard/ACTIVE_GOAL_STATE.md"], { ok: true }],
    [["--format", "json"], { ok: true }],
  ])("%j", (options, expected) => {
    expect(project.run([...DRY, ...options])).toMatchObject({ exit: 0, answer: expected });
  });

  test.each([
    ["without a word of the action", [], "Graft the young pear trees.", "active_state_next_action"],
    ["with one", ["--recommended-action", "Rest."], "Rest.", "explicit_arg"],
  ])("the recommended action %s", (_, options, recommended_action, recommended_action_source) => {
    expect(project.run([...DRY, ...options]).answer).toMatchObject({ recommended_action, recommended_action_source });
  });
});

describe("status and history take", () => {
  test.each<[readonly string[], Record<string, unknown>]>([
    [["--format", "json", "status"], { ok: true, goal_count: 2, run_count: 2 }],
    [["status", "--format", "json"], { ok: true }],
    [["--format", "json", "status", "--goal-id", "orchard"], { goal_filter: "orchard", goal_count: 1 }],
    [["--format", "json", "status", "--agent-id", "gardener"], { ok: true }],
    [["--format", "json", "status", "--limit", "1"], { goals: [expect.objectContaining({ goal_id: "meadow" })] }],
    [["--format", "json", "status", "--scan-path", "README.md", "--scan-root", "."], { ok: true }],
    [["--format", "json", "status", "--use-projection-cache"], { ok: true }],
    [["--format", "json", "status", "--write-projection-cache"], { ok: true }],
    [["--format", "json", "status", "--projection-cache-ttl-seconds", "60"], { ok: true }],
    [["--format", "json", "history"], { ok: true, goal_count: 2, run_count: 2, goal_filter: null }],
    [["--format", "json", "history", "--goal-id", "orchard"], { goal_filter: "orchard", goal_count: 1 }],
    [["--format", "json", "history", "--limit", "1"], { run_count: 2, runs: [expect.anything()] }],
    [
      ["--format", "json", "registry"],
      { ok: true, goal_count: 2, schema_version: "0.1", status_counts: { active: 2 }, problems: [] },
    ],
  ])("%j", (args, expected) => {
    expect(project.run(args)).toMatchObject({ exit: 0, answer: expected });
  });

  test.each([
    ["--registry", ["--registry", ".loopx/registry.json", "--format", "json", "history"], {}],
    ["LOOPX_REGISTRY", ["--format", "json", "history"], { LOOPX_REGISTRY: ".loopx/registry.json" }],
    ["the current folder", ["--format", "json", "history"], {}],
  ])("the registry from %s", (_, args, env) => {
    expect(project.run(args, env).answer["registry"]).toBe(join(project.root, "project/.loopx/registry.json"));
  });

  test.each([
    ["the registry, against its project", [], "project/runtime"],
    ["--runtime-root", ["--runtime-root", "~/elsewhere"], "home/elsewhere"],
  ])("the runtime root from %s", (_, options, expected) => {
    expect(project.run([...options, "--format", "json", "history"]).answer["runtime_root"]).toBe(join(project.root, expected));
  });

  test("Markdown is the default form", () => {
    expect(project.run(["status"]).out).toMatch(/^# /);
  });
});

describe("an answer has the fields", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    [
      "of status",
      ["--format", "json", "status"],
      ["ok", "registry", "runtime_root", "goal_filter", "goal_count", "run_count", "attention_queue", "goals"],
    ],
    [
      "of history",
      ["--format", "json", "history"],
      ["ok", "registry", "runtime_root", "goal_filter", "goal_count", "run_count", "goals", "runs"],
    ],
    [
      "of registry",
      ["--format", "json", "registry"],
      ["ok", "registry", "schema_version", "updated_at", "goal_count", "status_counts", "problems", "goals"],
    ],
    [
      "of refresh-state",
      DRY,
      [
        ...["ok", "dry_run", "appended", "registry", "runtime_root", "project", "goal_id", "classification", "progress_scope"],
        ...[
          "agent_id",
          "agent_lane",
          "json_path",
          "markdown_path",
          "index_path",
          "recommended_action",
          "recommended_action_source",
        ],
        ...["active_state_next_action_update", "generated_at", "health_check", "state", "registry_goal"],
      ],
    ],
  ])("%s", (_, args, fields) => {
    expect(Object.keys(project.run(args).answer)).toEqual(expect.arrayContaining([...fields]));
  });

  test("of a run in history, first those of its row in their order", () => {
    const [run] = project.run(["--format", "json", "history", "--goal-id", "orchard"]).answer["runs"] as readonly object[];
    expect(Object.keys(run ?? {}).slice(0, 7)).toEqual([
      ...["generated_at", "goal_id", "classification", "recommended_action", "health_check", "json_path", "markdown_path"],
    ]);
    expect(run).toMatchObject({ json_exists: false, markdown_exists: false });
  });

  test("of a goal in history", () => {
    const goals = project.run(["--format", "json", "history", "--goal-id", "orchard"]).answer["goals"];
    expect(goals).toEqual([
      expect.objectContaining({
        ...{ id: "orchard", activation_state: "active", display_name: null, domain: "garden", status: "active" },
        ...{ registry_member: true, legacy_runtime_goal: false, raw_index_records: 2, unique_runs: 2 },
      }),
    ]);
  });

  test("of an item in the attention queue", () => {
    const [item] = project.run(["--format", "json", "status"]).answer["attention_queue"] as readonly object[];
    expect(Object.keys(item ?? {})).toEqual(
      expect.arrayContaining(["goal_id", "status", "waiting_on", "severity", "recommended_action"]),
    );
  });
});

describe("the exit status is", () => {
  test.each<[number, string, readonly string[]]>([
    [0, "an answer", ["status"]],
    [0, "help", ["--help"]],
    [1, "an agent that the goal does not have", [...DRY, "--agent-id", "stranger"]],
    [1, "a lane that would change Next Action", [...DRY, "--agent-id", "gardener", "--next-action", "Rest."]],
    [2, "an option that is not there", ["status", "--wrong"]],
    [2, "a value that an option cannot have", [...DRY, "--progress-scope", "planet"]],
    [2, "an option that is missing", ["refresh-state"]],
    [2, "a command that is not there", ["frobnicate"]],
    [2, "an id that is no path segment", ["refresh-state", "--goal-id", "../orchard"]],
    [2, "a state file outside of the project", [...DRY, "--state-file", "../notes.md"]],
    [2, "a credential in an action", [...DRY, "--next-action", "use token=abcdef123456"]],
    [3, "a goal that is not there", ["refresh-state", "--goal-id", "desert"]],
    [3, "a registry that is not there", ["--registry", "nowhere.json", "status"]],
  ])("%i for %s", (exit, _, args) => {
    expect(project.run(args).exit).toBe(exit);
  });

  test("errors are records on stdout where JSON was asked for, words on stderr where it was not", () => {
    const json = project.run(["--format", "json", "refresh-state", "--goal-id", "desert"]);
    expect(json).toMatchObject({ answer: { ok: false, code: "unknown_goal" }, err: "" });
    expect(project.run(["refresh-state", "--goal-id", "desert"])).toMatchObject({
      out: "",
      err: expect.stringContaining("desert"),
    });
  });
});

describe("a recorded run", () => {
  let own: ReferenceProject;
  let stem = "";
  beforeAll(() => {
    own = referenceProject();
    const args = [
      "--format",
      "json",
      "refresh-state",
      "--goal-id",
      "orchard",
      "--agent-id",
      "gardener",
      "--todo-id",
      "todo_graft_pears",
    ];
    const { answer } = own.run([...args, "--delivery-outcome", "outcome_progress", "--delivery-batch-scale", "single_surface"]);
    stem = String(answer["generated_at"]).replaceAll(/[^0-9A-Za-z-]+/g, "-");
  });
  afterAll(() => own.remove());

  test("has its files under the goal's folder, named after its time", () => {
    expect(readdirSync(join(own.root, "project/runtime/goals/orchard/runs")).sort()).toEqual([
      `${stem}.json`,
      `${stem}.md`,
      "index.jsonl",
    ]);
  });

  test("is one row behind those that were there, in the reference's order and separators", () => {
    const lines = own.read("runtime/goals/orchard/runs/index.jsonl").split("\n");
    expect(lines).toHaveLength(4);
    expect(lines[2]).toMatch(/^\{"generated_at": "[^"]+", "goal_id": "orchard", /);
    expect(Object.keys(JSON.parse(lines[2] ?? ""))).toEqual([
      ...["generated_at", "goal_id", "classification", "recommended_action", "recommended_action_source", "health_check"],
      ...["json_path", "markdown_path", "state", "progress_scope", "delivery_batch_scale", "delivery_outcome", "todo_id"],
      ...["agent_id", "agent_lane", "loopx_event", "loopx_store"],
    ]);
  });

  test("is a record with the reference's keys", () => {
    const record = JSON.parse(own.read(`runtime/goals/orchard/runs/${stem}.json`));
    expect(Object.keys(record)).toEqual([
      ...[
        "generated_at",
        "goal_id",
        "classification",
        "recommended_action",
        "recommended_action_source",
        "health_check",
        "state",
      ],
      ...["registry_goal", "progress_scope", "delivery_batch_scale", "delivery_outcome", "todo_id", "agent_id", "agent_lane"],
      ...["loopx_event", "loopx_store"],
    ]);
    expect(Object.keys(record.state)).toEqual(["path", "sha256_16", "frontmatter", "next_action", "recent_feedback", "progress"]);
    expect(record.health_check).toBe("state_file 1/1; registry_goal 1/1; authority_sources 0");
  });

  test("is the first of history, before those of the reference", () => {
    const { answer } = own.run(["--format", "json", "history", "--goal-id", "orchard"]);
    expect((answer["runs"] as readonly { readonly generated_at: string }[]).map((run) => run.generated_at)).toEqual([
      expect.stringMatching(/^20\d\d-/),
      "2026-05-04T07:40:00+00:00",
      "2026-05-04T07:10:00+00:00",
    ]);
  });
});
