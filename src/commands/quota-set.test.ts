import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { goalAdd } from "./add-goal.ts";
import type { QuotaSetRequest } from "./app.ts";
import { initProject } from "./init.ts";
import { quotaSet } from "./quota-set.ts";
import { findRegistered, registryRows } from "./registry-rows.ts";
import { codeFrom, type SampleGround, sampleGround, valueFrom } from "./workspace.sample.ts";
import type { WritingWorkspace } from "./workspace.ts";

let ground: SampleGround;
let workspace: WritingWorkspace;
let path: string;

beforeEach(async () => {
  ground = sampleGround();
  await initProject(ground, { objective: "Ship it", goalId: "importer", project: null, dryRun: false });
  workspace = await (await ground.workspace()).writing();
  path = join(ground.folder, ".loopx/registry.json");
});
afterEach(() => ground.remove());

const text = (): string => readFileSync(path, "utf8");
const ask = (asked: Partial<QuotaSetRequest>): ReturnType<typeof quotaSet> =>
  quotaSet(workspace, {
    goalId: "importer",
    profile: null,
    compute: null,
    windowHours: null,
    slotMinutes: null,
    allowedSlots: null,
    tokens: null,
    wallMinutes: null,
    limits: {},
    dryRun: false,
    ...asked,
  });

test("sets what is given, says before and after, and the next read counts with it", async () => {
  const answer = await valueFrom(ask({ compute: 0.5, tokens: 1000, profile: "batch", limits: { max_open_todos: 9 } }));
  expect(answer).toMatchObject({
    ok: true,
    goal_id: "importer",
    changed: true,
    changed_fields: ["profile", "compute", "tokens", "limits.max_open_todos"],
    before: { compute: 1, allowed_slots: 1440, tokens: null, limits: { max_open_todos: 1000 } },
    after: { compute: 0.5, allowed_slots: 720, tokens: 1000, limits: { max_open_todos: 9, max_running_tasks: 256 } },
    dry_run: false,
    execute: true,
    written: true,
    registry: path,
    warnings: [],
  });
  expect(JSON.stringify(answer).length).toBeLessThan(8192);
  const { goal } = await valueFrom(findRegistered(await valueFrom(registryRows(workspace)), "importer"));
  expect(goal.quota).toMatchObject({ kind: "set", settings: answer.after });
});

test("again it changes nothing and says so (V1)", async () => {
  await ask({ compute: 0, windowHours: 1.5, slotMinutes: 2, allowedSlots: 0, wallMinutes: 5 });
  const before = text();
  const again = await valueFrom(ask({ compute: 0, windowHours: 1.5, slotMinutes: 2, allowedSlots: 0, wallMinutes: 5 }));
  expect(again).toMatchObject({ changed: false, changed_fields: [], written: false, after: { compute: 0, allowed_slots: 0 } });
  expect(again.before).toEqual(again.after);
  expect(text()).toBe(before);
});

test("a rehearsal writes nothing and answers the same", async () => {
  const before = text();
  const answer = await valueFrom(ask({ allowedSlots: 0, dryRun: true }));
  expect(answer).toMatchObject({ changed: true, dry_run: true, execute: false, written: false, after: { allowed_slots: 0 } });
  expect(answer.warnings).toMatchObject([{ code: "quota_no_slots" }]);
  expect(text()).toBe(before);
});

test("for all goals that do not say otherwise", async () => {
  await goalAdd(workspace, { goalId: "other", objective: "More", displayName: null, stateFile: null, dryRun: false });
  await ask({ compute: 0.5 });
  const answer = await valueFrom(ask({ goalId: null, compute: 0.25, windowHours: 10 }));
  expect(answer).toMatchObject({ goal_id: null, changed_fields: ["compute", "window_hours"], after: { allowed_slots: 150 } });
  const rows = await valueFrom(registryRows(workspace));
  const slots = async (id: string): Promise<unknown> => (await valueFrom(findRegistered(rows, id))).goal.quota;
  expect(await slots("other")).toMatchObject({ settings: { allowed_slots: 150 } });
  expect(await slots("importer")).toMatchObject({ settings: { allowed_slots: 300 } });
});

test("what is invalid is named and nothing is written (V1)", async () => {
  const before = text();
  const reply = await ask({ compute: 0.5, windowHours: 0, limits: { max_event_bytes: 1.5 } });
  expect(reply).toMatchObject({
    kind: "bad_input",
    code: "quota_invalid",
    problems: [{ path: "goals.0.quota.window_hours" }, { path: "goals.0.quota.limits.max_event_bytes" }],
  });
  expect(await codeFrom(ask({}))).toBe("nothing_to_set");
  expect(await codeFrom(ask({ goalId: "importe", compute: 1 }))).toBe("unknown_goal");
  expect(text()).toBe(before);
});

test("a value that cannot be understood is repaired by setting it", async () => {
  const root = JSON.parse(text());
  root.goals[0].quota = { compute: "half", note: "mine" };
  writeFileSync(path, JSON.stringify(root));
  expect(await codeFrom(ask({ tokens: 5 }))).toBe("quota_invalid");
  expect(await valueFrom(ask({ compute: 0.5 }))).toMatchObject({ before: null, after: { compute: 0.5 } });
  expect(JSON.parse(text()).goals[0].quota).toEqual({ compute: 0.5, note: "mine" });
});
