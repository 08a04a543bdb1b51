import { mkdirSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseGoalId } from "../../core/id.ts";
import { DoctorSample, FIX, found, LOOK, recordRun } from "../doctor.sample.ts";
import type { WritingWorkspace } from "../workspace.ts";

let sample: DoctorSample;
let workspace: WritingWorkspace;
beforeEach(async () => {
  sample = new DoctorSample();
  workspace = await sample.project();
  await recordRun(workspace, "t1");
});
afterEach(() => sample.remove());

async function counter(): Promise<number> {
  const id = parseGoalId("importer");
  const loaded = id.ok ? await workspace.store.load({ goal_id: id.id, todos: "none", base: "none" }) : null;
  return loaded?.head?.runtime_bytes ?? -1;
}

function fill(bytes: number): void {
  const folder = sample.at(".loopx/runtime/goals/importer/evidence");
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/blob`, "x".repeat(bytes));
}

test("a counter that is off by more than a tenth is told and, with --fix, set; a second time there is nothing to do", async () => {
  fill(500_000);
  const before = await counter();
  expect(found(await sample.asked(LOOK), "runtime_bytes")).toMatchObject([{ severity: "info", fix: "loopx doctor --fix" }]);
  expect(await counter()).toBe(before);
  const { fixed } = await sample.asked(FIX);
  expect(fixed.filter(({ check }) => check === "runtime_bytes")).toMatchObject([{ check: "runtime_bytes", outcome: "fixed" }]);
  expect(await counter()).toBeGreaterThan(500_000);
  expect(await counter()).toBeLessThan(600_000);
  const again = await sample.asked(FIX);
  expect([found(again, "runtime_bytes"), again.fixed.filter(({ check }) => check === "runtime_bytes")]).toEqual([[], []]);
});

test("B1 a difference that does not matter is none", async () => {
  fill(10_000);
  expect(found(await sample.asked(LOOK), "runtime_bytes")).toEqual([]);
});
