import { existsSync, readFileSync, rmSync, unlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { DRIFT, makeWorld, REFRESH, STATE, STATUS, type World, write } from "../../test/fakes/workspace.ts";
import type { Reply } from "../core/result.ts";
import { driftPage } from "../core/show/markdown/drift.ts";
import { goalId } from "../core/show/view.sample.ts";
import type { DriftAnswer } from "./drift.ts";
import { drift } from "./drift.ts";
import { valueFrom } from "./workspace.sample.ts";

const worlds: World[] = [];

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

async function world(options: Parameters<typeof makeWorld>[0] = {}): Promise<World> {
  const made = await makeWorld({ store: "sqlite", ...options });
  worlds.push(made);
  return made;
}

function ask({ workspace }: World, change: Partial<typeof DRIFT> = {}): Promise<DriftAnswer> {
  const reply: Promise<Reply<DriftAnswer>> = drift(workspace, { ...DRIFT, ...change });
  return valueFrom(reply);
}

async function kindsOf(made: World): Promise<readonly string[]> {
  return (await ask(made)).drift.map((entry) => entry.kind);
}

function outcomes({ fixed = [] }: DriftAnswer): readonly (readonly string[])[] {
  return fixed.map(({ kind, outcome }) => [kind, outcome]);
}

async function refreshed(made: World, change: Partial<typeof REFRESH> = {}): Promise<Record<string, unknown>> {
  return { ...(await valueFrom(made.app.refresh({ ...REFRESH, ...change }))) };
}

describe("drift --fix", () => {
  it("X1: writes a lost state file as it was last read", async () => {
    const made = await world();
    await refreshed(made);
    unlinkSync(made.stateFile);
    const rehearsed = await ask(made, { fix: true, dryRun: true });
    expect(outcomes(rehearsed)).toEqual([["state_file_missing", "would_fix"]]);
    expect([existsSync(made.stateFile), rehearsed.drift.map((entry) => entry.kind)]).toEqual([false, ["state_file_missing"]]);
    const fixed = await ask(made, { fix: true });
    expect([outcomes(fixed), fixed.drift]).toEqual([[["state_file_missing", "fixed"]], []]);
    expect(made.text()).toBe(STATE);
  });

  it("writes the state file of a goal that never had one", async () => {
    const made = await world();
    rmSync(made.stateFile);
    expect(outcomes(await ask(made, { fix: true }))).toEqual([["state_file_missing", "fixed"]]);
    expect(made.text()).toContain("## Next Action");
    expect(await kindsOf(made)).toEqual([]);
  });

  it("records a run when the Next Action is newer than the last one", async () => {
    const made = await world();
    await refreshed(made);
    made.advance(60_000);
    made.edit((text) => text.replace("- Begin.", "- Order the chairs for the new office."));
    const later = Date.parse(made.now()) / 1000;
    utimesSync(made.stateFile, later, later);
    made.advance(60_000);
    expect(await kindsOf(made)).toEqual(["next_action_projection_mismatch"]);
    expect(outcomes(await ask(made, { fix: true, dryRun: true }))).toEqual([["next_action_projection_mismatch", "would_fix"]]);
    expect((await valueFrom(made.app.history({ goalId: "alpha", limit: null, cursor: null }))).run_count).toBe(1);
    const fixed = await ask(made, { fix: true });
    expect([outcomes(fixed), fixed.drift]).toEqual([[["next_action_projection_mismatch", "fixed"]], []]);
    const { runs, run_count } = await valueFrom(made.app.history({ goalId: "alpha", limit: null, cursor: null }));
    expect([run_count, runs[0]?.recommended_action]).toEqual([2, "Order the chairs for the new office."]);
  });

  it("takes a todo that is gone for withdrawn once it was gone for two seconds", async () => {
    const made = await world();
    await refreshed(made);
    made.edit((text) => text.replace("- [ ] Write it down\n", ""));
    const early = await ask(made, { fix: true });
    expect(outcomes(early)).toEqual([["todo_missing", "not_fixed"]]);
    expect(early.drift.map((entry) => entry.kind)).toEqual(["todo_missing"]);
    made.advance(3000);
    const before = made.text();
    expect((await ask(made, { fix: true })).drift).toEqual([]);
    expect(made.text()).toBe(before);
    await made.app.refreshAll({ dryRun: false });
    const asked = { goal_id: goalId("alpha"), type: "todo.withdrawn", order: "newest_first", limit: 9 } as const;
    expect(await made.store.events(asked)).toHaveLength(1);
  });

  it("writes the files of a run of its own again, byte for byte", async () => {
    const made = await world();
    await refreshed(made);
    made.advance(60_000);
    const run = await refreshed(made);
    const paths = [String(run["json_path"]), String(run["json_path"]).replace(/json$/, "md")];
    const bytes = paths.map((path) => readFileSync(path));
    for (const path of paths) unlinkSync(path);
    await made.app.status({ ...STATUS, goalId: "alpha", clearCache: true });
    expect(await kindsOf(made)).toEqual(["artifacts_missing"]);
    const fixed = await ask(made, { fix: true });
    expect(outcomes(fixed)).toEqual([["artifacts_missing", "fixed"]]);
    expect(paths.map((path) => readFileSync(path))).toEqual(bytes);
  });

  it("X2: a goal that cannot be put right does not stop the next one", async () => {
    const made = await world({ goals: ["alpha", "beta"] });
    await refreshed(made);
    made.edit((text) => text.replace("- [ ] Write it down\n", ""));
    rmSync(join(made.project, "goals/beta"), { recursive: true });
    const fixed = await ask(made, { goalId: null, fix: true });
    expect(fixed.fixed?.map(({ goal_id, outcome }) => [goal_id, outcome])).toEqual([
      ["alpha", "not_fixed"],
      ["beta", "fixed"],
    ]);
  });

  it("leaves to people what is theirs", async () => {
    const made = await world();
    await refreshed(made);
    made.save("");
    const fixed = await ask(made, { fix: true });
    expect([fixed.fixed, fixed.drift.map((entry) => entry.kind), made.text()]).toEqual([[], ["state_file_shrunk"], ""]);
  });

  it("the page says what was done, then what is left", async () => {
    const made = await world({ goals: ["alpha", "beta"] });
    rmSync(made.stateFile);
    const rehearsed = driftPage(await ask(made, { goalId: null, fix: true, dryRun: true }), { now: made.now(), rows: "screen" });
    expect(rehearsed).toMatch(/^# Would be repaired: 1\n\n- would fix: `alpha` state_file_missing/);
    expect(rehearsed).toContain("Next: `loopx drift --fix`");
    const page = driftPage(await ask(made, { goalId: null, fix: true }), { now: made.now(), rows: "screen" });
    expect(page).toMatch(/^# Repaired: 1\n\n- fixed: `alpha` state_file_missing: wrote /);
    expect(page).toContain("# No drift in 2 goals");
  });
});

describe("pages of drift", () => {
  it("D1, S1, S2: every goal is on one page, whatever its size", async () => {
    const goals = Array.from({ length: 7 }, (_, at) => `g${at}`);
    const made = await world({ goals });
    for (const id of goals) rmSync(join(made.project, "goals", id), { recursive: true });
    write(join(made.project, ".loopx/runtime/goals/stray/runs/index.jsonl"), "");
    const seen: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const page: DriftAnswer = await ask(made, { goalId: null, all: false, limit: 3, cursor });
      seen.push(...page.drift.map((entry) => entry.goal_id));
      cursor = page.left_out.cursor;
      expect(page.left_out.goals).toBe(8 - Math.min(8, seen.length));
      if (cursor === null) break;
      expect(page.left_out.get).toEqual([`loopx drift --cursor ${cursor}`]);
    }
    expect(seen).toEqual([...goals, "stray"]);
    const rest = await ask(made, { goalId: null, all: false, cursor: "drift.3.g2" });
    expect(rest.drift.map((entry) => entry.goal_id)).toEqual(["g3", "g4", "g5", "g6", "stray"]);
  });

  it("D2: --fix of a part repairs that part", async () => {
    const made = await world({ goals: ["a", "b", "c"] });
    for (const id of ["a", "b", "c"]) rmSync(join(made.project, "goals", id), { recursive: true });
    const part = await ask(made, { goalId: null, all: false, limit: 1, cursor: "drift.1.a", fix: true });
    expect(part.fixed?.map((entry) => entry.goal_id)).toEqual(["b"]);
    const all = await ask(made, { goalId: null, all: false, fix: true });
    expect(all.fixed?.map((entry) => entry.goal_id)).toEqual(["a", "c"]);
  });

  it("refuses a cursor of another list", async () => {
    const made = await world();
    expect(await drift(made.workspace, { ...DRIFT, cursor: "goals.1.a" })).toMatchObject({ code: "invalid_cursor" });
  });
});
