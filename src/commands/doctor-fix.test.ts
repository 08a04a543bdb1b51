import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../adapters/system/system.ts";
import { DoctorSample, FIX, found, INDEX, LOOK, recordRun } from "./doctor.sample.ts";

let sample: DoctorSample;

beforeEach(() => {
  sample = new DoctorSample();
});
afterEach(() => sample.remove());

describe("run files", () => {
  test("that are missing are written once, and a second time changes nothing (D3, F1)", async () => {
    const workspace = await sample.project();
    for (const turn of ["t1", "t2", "t3"]) await recordRun(workspace, turn);
    const rows = readFileSync(sample.at(INDEX), "utf8").split("\n");
    writeFileSync(sample.at(INDEX), rows.filter((_, line) => line !== 1).join("\n"));
    const folder = sample.at(".loopx/runtime/goals/importer/runs");
    const [json] = readdirSync(folder).filter((name) => name.endsWith(".json"));
    rmSync(join(folder, json ?? ""));
    expect(found(await sample.asked(LOOK), "run_files")).toMatchObject([{ severity: "warning", fix: "loopx doctor --fix" }]);
    const shown = await sample.asked({ fix: true, dryRun: true });
    expect(shown.fixed).toMatchObject([{ check: "run_files", outcome: "would_fix" }]);
    expect(existsSync(join(folder, json ?? ""))).toBe(false);
    const answer = await sample.asked(FIX);
    expect(answer.fixed).toMatchObject([{ check: "run_files", outcome: "fixed" }]);
    expect(found(answer, "run_files")).toEqual([]);
    const after = readFileSync(sample.at(INDEX), "utf8");
    const events = after
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).loopx_event);
    expect(new Set(events).size).toBe(3);
    expect(events).toHaveLength(3);
    expect((await sample.asked(FIX)).fixed).toEqual([]);
    expect(readFileSync(sample.at(INDEX), "utf8")).toBe(after);
  });

  test("of a run of this instant are left to who recorded it (F2)", async () => {
    const workspace = await sample.project();
    await recordRun(workspace, "t1");
    rmSync(sample.at(INDEX));
    expect(found(await sample.asked(LOOK, { clock: systemClock }), "run_files")).toEqual([]);
    expect(found(await sample.asked(LOOK), "run_files")).toHaveLength(1);
  });

  test("that cannot be written stay found", async () => {
    const workspace = await sample.project();
    await recordRun(workspace, "t1");
    const folder = sample.at(".loopx/runtime/goals/importer/runs");
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "in the way");
    const answer = await sample.asked(FIX);
    expect(answer.fixed).toContainEqual(expect.objectContaining({ check: "run_files", outcome: "not_fixed" }));
    expect(found(answer, "run_files")).toHaveLength(1);
  });
});

test("damage in an index is told with its line and never touched", async () => {
  await sample.project();
  mkdirSync(sample.at(".loopx/runtime/goals/importer/runs"), { recursive: true });
  const bytes = Buffer.concat([Buffer.from('{"generated_at": "2026-01-01T00:00:00Z"}\n{"torn\n'), Buffer.from([0xff, 0x0a])]);
  writeFileSync(sample.at(INDEX), bytes);
  expect(found(await sample.asked(FIX), "run_indexes")).toMatchObject([
    { severity: "warning", path: sample.at(INDEX), line: 2 },
    { severity: "warning", path: sample.at(INDEX), line: 3 },
  ]);
  expect(readFileSync(sample.at(INDEX)).equals(bytes)).toBe(true);
});

test("what a kill left is ended; a person's text is kept (L1)", async () => {
  await sample.project();
  const old = (path: string, text: string): string => {
    writeFileSync(path, text);
    utimesSync(path, 1, 1);
    return path;
  };
  const temporary = old(sample.at(".loopx/.loopx-99999999-0123456789ab.tmp"), "half");
  const kept = old(
    sample.at(".codex/goals/importer/.loopx-99999999-0123456789ab-01234567-0123456789abcdef-0123456789abcdef.kept"),
    "mine",
  );
  const findings = found(await sample.asked(LOOK), "leftovers");
  expect(findings).toMatchObject([{ path: temporary, fix: "loopx doctor --fix" }, { path: kept }]);
  const answer = await sample.asked(FIX);
  expect(answer.fixed).toMatchObject([{ check: "leftovers", path: temporary, outcome: "fixed" }]);
  expect(existsSync(temporary)).toBe(false);
  expect(readFileSync(kept, "utf8")).toBe("mine");
  expect(found(answer, "leftovers")).toMatchObject([{ path: kept, severity: "warning" }]);
});

test("projections that are gone are written again", async () => {
  await sample.project();
  const path = sample.at(".loopx/runtime/goals/importer/projection.json");
  rmSync(path);
  expect(found(await sample.asked(LOOK), "projections")).toMatchObject([{ severity: "info" }]);
  expect((await sample.asked(FIX)).fixed).toMatchObject([{ check: "projections", outcome: "fixed" }]);
  expect(existsSync(path)).toBe(true);
});
