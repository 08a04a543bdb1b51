import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { initProject } from "./init.ts";
import { findRegistered, registryRows } from "./registry-rows.ts";
import { type SampleGround, sampleGround, valueFrom } from "./workspace.sample.ts";
import type { Workspace } from "./workspace.ts";

let ground: SampleGround;
let workspace: Workspace;
let path: string;

beforeEach(async () => {
  ground = sampleGround();
  await initProject(ground, { objective: "Ship it", goalId: "importer", project: null, dryRun: false });
  workspace = await ground.workspace();
  path = join(ground.folder, ".loopx/registry.json");
  const root = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...root, quota: { compute: 0.5 } }));
  utimesSync(path, 1_700_000_000, 1_700_000_000);
});
afterEach(() => ground.remove());

test("a goal keeps its quota in the stored rows, with what holds for all goals (Q1)", async () => {
  const first = await valueFrom(findRegistered(await valueFrom(registryRows(workspace)), "importer"));
  const stored = await valueFrom(findRegistered(await valueFrom(registryRows(workspace)), "importer"));
  expect(stored).toEqual(first);
  expect(stored.goal.quota).toMatchObject({ kind: "set", settings: { compute: 0.5, allowed_slots: 720 } });
});

test("rows that another program stored are read anew (Q2)", async () => {
  await registryRows(workspace);
  const known = await workspace.store.registry(path);
  if (known === null) throw new Error("nothing was stored");
  const { row_format: _, ...header } = JSON.parse(known.header);
  const old = { goal_id: "importer", ordinal: 0, data: '{"goal":{"goal_id":"importer","quota":null},"digest":"old"}' };
  await workspace.store.saveRegistry({ ...known, header: JSON.stringify(header) }, [old]);
  const { goal, digest } = await valueFrom(findRegistered(await valueFrom(registryRows(workspace)), "importer"));
  expect(goal.quota.kind).toBe("set");
  expect(digest).not.toBe("old");
});
