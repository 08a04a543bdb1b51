/** Archiving while runs of the goal are recorded. */

import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { GoalId } from "../core/id.ts";
import type { RefreshRequest } from "./app.ts";
import { type ArchiveWorld, archiveWorld, dyingAt, toArchive, toRestore } from "./archive.sample.ts";
import { archive } from "./archive.ts";
import { whileStanding } from "./archive-standing.ts";
import { PLAIN_RUN } from "./plain-run.ts";
import { refresh } from "./refresh.ts";
import { restore } from "./restore.ts";

let world: ArchiveWorld;
beforeEach(async () => {
  world = await archiveWorld();
});
afterEach(() => world.remove());

function run(action: string): RefreshRequest {
  return {
    ...PLAIN_RUN,
    goalId: "alpha",
    recommendedAction: action,
  };
}

it("C3 every run that was acknowledged has its files in the archive, and no refresh makes the folder anew", async () => {
  const [first, second] = [await world.another(), await world.another()];
  for (let round = 0; round < 12; round += 1) {
    const actions = [0, 1, 2, 3].map((at) => `round ${round} step ${at}`);
    const writing = actions.map(async (action, at) => await refresh(at % 2 === 0 ? first : second, run(action)));
    const [archived, ...replies] = await Promise.all([
      archive(world.workspace, toArchive("alpha", { allowRegistered: true })),
      ...writing,
    ]);
    if (archived.kind !== "done") throw new Error(archived.code);
    expect(existsSync(world.goal("alpha"))).toBe(false);
    const index = readFileSync(join(archived.value.archive_path, "runs/index.jsonl"), "utf8");
    for (const [at, reply] of replies.entries()) {
      const rows = index.split(`"${actions[at]}"`).length - 1;
      if (reply.kind === "done") expect(rows).toBeGreaterThan(0);
      else expect([reply.code, rows]).toEqual([expect.stringMatching(/^goal_(archived|stopped|moving)$/), 0]);
    }
    expect((await refresh(first, run("late"))).kind).toBe("refusal");
    expect(existsSync(world.goal("alpha"))).toBe(false);
    const rows = index.split("\n").filter((line) => line.includes("loopx_event"));
    expect(new Set(rows.map((line) => JSON.parse(line).loopx_event)).size).toBe(rows.length);
    expect((await restore(world.workspace, toRestore("alpha"))).kind).toBe("done");
    world.advance(1000);
  }
});

it("C3 writes the files of runs that were only in the journal", async () => {
  const reply = await refresh(world.workspace, run("only in the journal"));
  if (reply.kind !== "done") throw new Error(reply.code);
  rmSync(String(reply.value["json_path"]));
  const archived = await archive(world.workspace, toArchive("alpha", { allowRegistered: true }));
  if (archived.kind !== "done") throw new Error(archived.code);
  const records = readdirSync(join(archived.value.archive_path, "runs")).filter((name) => name.endsWith(".json"));
  expect(records).toHaveLength(2);
});

it("D1 tells which goals stand", async () => {
  const ids = ["alpha", "old", "none"] as GoalId[];
  await expect(archive(await world.another(dyingAt(1).steps), toArchive("old"))).rejects.toThrow("killed");
  await refresh(world.workspace, run("opens the journal"));
  const standing = await whileStanding(world.workspace.store, ids, (found) => [...found]);
  expect(standing).toEqual([
    ["alpha", 1],
    ["none", null],
  ]);
});
