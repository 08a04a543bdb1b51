import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { GoalId } from "../core/id.ts";
import { goalAdd } from "./add-goal.ts";
import type { GoalAddRequest } from "./app.ts";
import { goalRemove, goalResume, goalStop } from "./goal-edit.ts";
import { initProject } from "./init.ts";
import { codeFrom, type SampleGround, sampleGround, valueFrom } from "./workspace.sample.ts";
import type { WritingWorkspace } from "./workspace.ts";

let ground: SampleGround;
let workspace: WritingWorkspace;

const REGISTRY = ".loopx/registry.json";
const GOAL = { goalId: "importer", dryRun: false };

beforeEach(async () => {
  ground = sampleGround();
  await initProject(ground, { objective: "Ship it", goalId: "importer", project: null, dryRun: false });
  workspace = await ground.workspace();
});
afterEach(() => ground.remove());

const at = (...parts: readonly string[]): string => join(ground.folder, ...parts);
const text = (...parts: readonly string[]): string => readFileSync(at(...parts), "utf8");
const added = (goalId: string, more: Partial<GoalAddRequest> = {}): ReturnType<typeof goalAdd> =>
  goalAdd(workspace, { goalId, objective: "More", displayName: null, stateFile: null, dryRun: false, ...more });

async function types(goalId = "importer"): Promise<readonly string[]> {
  const events = await workspace.store.events({ goal_id: goalId as GoalId, order: "oldest_first", limit: 100 });
  return events.map(({ type }) => type).filter((type) => type.startsWith("goal."));
}

function entries(): readonly {
  readonly id: string;
  readonly activation?: { readonly state: string; readonly reason?: string };
}[] {
  return JSON.parse(text(REGISTRY)).goals;
}

describe("adding a goal", () => {
  test("writes state file, entry and journal; again it changes nothing (A4)", async () => {
    const answer = await valueFrom(added("second", { displayName: "Second goal", stateFile: "notes/second.md" }));
    expect(answer).toMatchObject({ ok: true, changed: true, state_action: "created", state_file: at("notes/second.md") });
    expect(entries()[1]).toMatchObject({ id: "second", display_name: "Second goal", state_file: "notes/second.md" });
    expect(await types("second")).toEqual(["goal.opened"]);
    const before = text(REGISTRY);
    expect(await valueFrom(added("second"))).toMatchObject({
      changed: false,
      state_action: "kept",
      state_file: at("notes/second.md"),
    });
    expect(text(REGISTRY)).toBe(before);
  });

  test("says no before the first write (A1)", async () => {
    const before = text(REGISTRY);
    mkdirSync(at("elsewhere"));
    symlinkSync(at("elsewhere"), at("link"));
    mkdirSync(at("folder.md"));
    expect(await codeFrom(added("second", { stateFile: "link/state.md" }))).toBe("done");
    symlinkSync("/tmp", at("out"));
    expect(await codeFrom(added("third", { stateFile: "out/state.md" }))).toBe("state_file_outside");
    expect(await codeFrom(added("third", { stateFile: "../state.md" }))).toBe("state_file_outside");
    expect(await codeFrom(added("third", { stateFile: "/etc/state.md" }))).toBe("state_file_outside");
    expect(await codeFrom(added("third", { stateFile: "folder.md" }))).toBe("file_is_folder");
    expect(await codeFrom(added("third", { stateFile: ".codex/goals/importer/ACTIVE_GOAL_STATE.md" }))).toBe("state_file_shared");
    expect(await codeFrom(added("IMPORTER"))).toBe("goal_id_collision");
    expect(existsSync(at(".codex/goals/IMPORTER"))).toBe(false);
    expect(await codeFrom(added("..\\x"))).toBe("goal_id_separator");
    expect(entries().map(({ id }) => id)).toEqual(["importer", "second"]);
    expect(text(REGISTRY)).not.toBe(before);
  });

  test("with dryRun writes nothing", async () => {
    const before = text(REGISTRY);
    expect(await valueFrom(added("second", { dryRun: true }))).toMatchObject({ changed: true, dry_run: true });
    expect(text(REGISTRY)).toBe(before);
    expect(existsSync(at(".codex/goals/second"))).toBe(false);
  });

  test("a state file that is gone is written again", async () => {
    const { state_file } = await valueFrom(added("second"));
    await workspace.store.exclusively(() => undefined);
    writeFileSync(at("kept"), "");
    expect(state_file).toBe(at(".codex/goals/second/ACTIVE_GOAL_STATE.md"));
    const { rmSync } = await import("node:fs");
    rmSync(at(".codex/goals/second"), { recursive: true });
    expect(await valueFrom(added("second"))).toMatchObject({ changed: true, state_action: "created" });
    expect(existsSync(state_file ?? "")).toBe(true);
  });

  test("an objective is one paragraph, whatever it says (N1)", async () => {
    const { parsePlan } = await import("../core/plan/parse.ts");
    for (const objective of [
      "# Agent Todo",
      "<!-- hidden",
      "--- x",
      "```sh",
      "~~~",
      "a <!-- b",
      "line\n\n## Next Action\n\n- x",
    ]) {
      const id = `goal-${Buffer.from(objective).toString("hex").slice(0, 12)}`;
      const { state_file } = await valueFrom(added(id, { objective }));
      const plan = parsePlan(readFileSync(state_file ?? "", "utf8"));
      expect(plan.sections.map(({ role }) => role)).toEqual([
        "other",
        "objective",
        "user",
        "agent",
        "next_action",
        "feedback",
        "progress",
      ]);
      expect(plan.next_action).toEqual([]);
      expect(plan.diagnostics.filter(({ line }) => line !== null)).toEqual([]);
    }
  });
});

describe("stopping and resuming", () => {
  test("registry and journal say so together; again nothing changes (B2)", async () => {
    const stopped = await valueFrom(goalStop(workspace, { ...GOAL, reason: "Waits for the API" }));
    expect(stopped).toMatchObject({ ok: true, before: "active", activation: "stopped", changed: true, warnings: [] });
    expect(stopped.reason).toBe("Waits for the API");
    expect(entries()[0]?.activation).toMatchObject({ state: "stopped", reason: "Waits for the API" });
    const once = text(REGISTRY);
    expect(await valueFrom(goalStop(workspace, { ...GOAL, reason: null }))).toMatchObject({
      before: "stopped",
      changed: false,
      reason: "Waits for the API",
    });
    expect(text(REGISTRY)).toBe(once);
    expect(await valueFrom(goalResume(workspace, { ...GOAL, reason: null }))).toMatchObject({
      before: "stopped",
      activation: "active",
      changed: true,
      reason: null,
    });
    expect(await valueFrom(goalResume(workspace, { ...GOAL, reason: null }))).toMatchObject({ before: "active", changed: false });
    expect(await types()).toEqual(["goal.opened", "goal.stopped", "goal.activated"]);
  });

  test("another reason is another fact", async () => {
    await valueFrom(goalStop(workspace, { ...GOAL, reason: "one" }));
    expect(await valueFrom(goalStop(workspace, { ...GOAL, reason: "two" }))).toMatchObject({ changed: true });
    expect(await types()).toEqual(["goal.opened", "goal.stopped", "goal.stopped"]);
  });

  test("the reason of a resumption is a fact, too; a goal that is at work needs none (B2)", async () => {
    await valueFrom(goalStop(workspace, { ...GOAL, reason: "Waits for the API" }));
    const resumed = await valueFrom(goalResume(workspace, { ...GOAL, reason: "The API is there" }));
    expect(resumed).toMatchObject({ activation: "active", changed: true, reason: "The API is there" });
    expect(entries()[0]?.activation).toMatchObject({ state: "active", reason: "The API is there" });
    const [last] = await workspace.store.events({ goal_id: "importer" as GoalId, order: "newest_first", limit: 1 });
    expect(last).toMatchObject({ type: "goal.activated", data: { reason: "The API is there" } });
    const once = text(REGISTRY);
    expect(await valueFrom(goalResume(workspace, { ...GOAL, reason: "Again" }))).toMatchObject({
      changed: false,
      reason: "The API is there",
    });
    expect(text(REGISTRY)).toBe(once);
    expect(await codeFrom(goalResume(workspace, { ...GOAL, reason: "x".repeat(601) }))).toBe("reason_too_long");
  });

  test("keeps every other byte: byte order mark, line endings, unknown fields", async () => {
    const odd = `\uFEFF${text(REGISTRY).replace('"goals"', '"x-mine": [1,  2],\n  "goals"').replaceAll("\n", "\r\n")}`;
    writeFileSync(at(REGISTRY), odd);
    await valueFrom(goalStop(workspace, { ...GOAL, reason: null }));
    await valueFrom(goalResume(workspace, { ...GOAL, reason: null }));
    const after = text(REGISTRY);
    expect(after.startsWith("\uFEFF{\r\n")).toBe(true);
    expect(after).toContain('"x-mine": [1,  2],\r\n');
    expect(after.replaceAll("\r\n", "")).not.toContain("\n");
  });

  test("is refused where it cannot be, and changes nothing (B1)", async () => {
    const before = text(REGISTRY);
    expect(await codeFrom(goalStop(workspace, { ...GOAL, reason: "x".repeat(601) }))).toBe("reason_too_long");
    expect(await codeFrom(goalStop(workspace, { ...GOAL, goalId: "importr", reason: null }))).toBe("unknown_goal");
    expect(await valueFrom(goalStop(workspace, { ...GOAL, reason: null, dryRun: true }))).toMatchObject({ changed: true });
    expect(text(REGISTRY)).toBe(before);
    expect(await types()).toEqual(["goal.opened"]);
  });

  test("an archived goal is resumed by restoring it (B1)", async () => {
    await archive("importer" as GoalId);
    const before = text(REGISTRY);
    const refused = await goalResume(workspace, { ...GOAL, reason: null });
    expect(refused).toMatchObject({ kind: "refusal", code: "goal_archived", fix: "loopx restore --goal-id importer" });
    expect(text(REGISTRY)).toBe(before);
  });

  test("two entries with one id, and a newer registry, are refused", async () => {
    const { goals, ...rest } = JSON.parse(text(REGISTRY));
    writeFileSync(at(REGISTRY), JSON.stringify({ ...rest, goals: [...goals, ...goals] }));
    expect(await codeFrom(goalStop(workspace, { ...GOAL, reason: null }))).toBe("goal_duplicate_id");
    writeFileSync(at(REGISTRY), JSON.stringify({ ...rest, goals, schema_version: "7" }));
    expect(await codeFrom(goalStop(workspace, { ...GOAL, reason: null }))).toBe("registry_newer_version");
    expect(await codeFrom(goalRemove(workspace, GOAL))).toBe("registry_newer_version");
  });

  test("a goal of another registry is edited there (B4)", async () => {
    const { goals, ...rest } = JSON.parse(text(REGISTRY));
    writeFileSync(
      at(REGISTRY),
      JSON.stringify({ ...rest, goals: [{ ...goals[0], source_registry: "/elsewhere/.loopx/registry.json" }] }),
    );
    expect(await codeFrom(goalStop(workspace, { ...GOAL, reason: null }))).toBe("goal_belongs_to");
  });
});

describe("removing a goal", () => {
  test("takes the entry out and nothing else; again it changes nothing (B2, B3)", async () => {
    await valueFrom(added("second"));
    const shown = await valueFrom(goalRemove(workspace, { ...GOAL, dryRun: true }));
    expect(entries()).toHaveLength(2);
    const answer = await valueFrom(goalRemove(workspace, GOAL));
    expect(answer).toMatchObject({ changed: true, kept: { state_file: at(".codex/goals/importer/ACTIVE_GOAL_STATE.md") } });
    expect({ ...answer, dry_run: true }).toEqual(shown);
    expect(entries().map(({ id }) => id)).toEqual(["second"]);
    expect(existsSync(answer.kept.state_file ?? "")).toBe(true);
    expect(await types()).toEqual(["goal.opened"]);
    expect(await valueFrom(goalRemove(workspace, GOAL))).toMatchObject({ changed: false });
    expect(await codeFrom(goalRemove(workspace, { ...GOAL, goalId: "never-there" }))).toBe("unknown_goal");
    expect(await codeFrom(goalRemove(workspace, { ...GOAL, goalId: "../x" }))).toBe("goal_id_separator");
  });

  test("a goal that is added again goes on with its journal", async () => {
    await valueFrom(goalRemove(workspace, GOAL));
    expect(await valueFrom(added("importer"))).toMatchObject({ changed: true, state_action: "adopted" });
    expect(await types()).toEqual(["goal.opened"]);
  });
});

async function archive(goalId: GoalId): Promise<void> {
  const { writeGoal } = await import("./write-goal.ts");
  const { registryRows } = await import("./registry-rows.ts");
  const rows = await valueFrom(registryRows(workspace));
  const [registered = null] = await rows.find(goalId);
  const state = { kind: "not_declared", since: workspace.clock.now() } as const;
  const move = { kind: "start-archive", source: "/a", target: "/b" } as const;
  const commands = (): readonly [typeof move, { readonly kind: "finish-archive" }] => [move, { kind: "finish-archive" }];
  await writeGoal(workspace, rows, { subject: { goal_id: goalId, registered }, state, commands, rehearse: "store" });
}
