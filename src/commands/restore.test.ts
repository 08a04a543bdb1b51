import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GoalId } from "../core/id.ts";
import {
  type ArchiveWorld,
  archived,
  archiveWorld,
  bindMounted,
  codeOf,
  dyingAt,
  fillGoal,
  snapshot,
  toArchive,
  toRestore,
  write,
} from "./archive.sample.ts";
import { archives } from "./archives.ts";
import { restore } from "./restore.ts";

let world: ArchiveWorld;
beforeEach(async () => {
  world = await archiveWorld();
});
afterEach(() => world.remove());

async function lifecycle(id: string): Promise<string | undefined> {
  const { head } = await world.workspace.store.load({ goal_id: id as GoalId, todos: "none", base: "none" });
  return head?.lifecycle.kind;
}

const activation = (): { readonly state?: string; readonly reason?: string } =>
  JSON.parse(readFileSync(world.registry, "utf8")).goals[0].activation ?? {};

describe("restore", () => {
  it.each(["a rename", "a copy"])("B2 gives the folder back byte for byte, by %s", async (way) => {
    const before = snapshot(world.goal("alpha"));
    const workspace = way === "a copy" ? await world.another(bindMounted()) : world.workspace;
    const answer = await archived(workspace, toArchive("alpha", { allowRegistered: true }));
    expect(answer.mounts).toBe("same");
    expect(existsSync(world.goal("alpha"))).toBe(false);
    const restored = await restore(workspace, toRestore("alpha"));
    expect(restored).toMatchObject({
      value: { restored: true, generation: 1, activation: "active", archive_path: answer.archive_path, warnings: [] },
    });
    expect(snapshot(world.goal("alpha"))).toEqual(before);
    expect(existsSync(answer.archive_path)).toBe(false);
    expect(activation().state).toBe("active");
    expect(await lifecycle("alpha")).toBe("active");
    expect(readdirSync(world.root).filter((name) => name.startsWith("."))).toEqual([]);
    expect(readdirSync(join(world.root, "archived-goals"))).toEqual([]);
    const listed = await archives(world.workspace, { goalId: "alpha", archiveRoot: null, limit: null, cursor: null });
    expect(listed).toMatchObject({ value: { archives: [{ restored_at: expect.any(String), exists: false }] } });
  });

  it("R1 a goal that a person stopped stays stopped", async () => {
    const text = readFileSync(world.registry, "utf8").replace(
      '"display_name"',
      '"activation": { "state": "stopped", "reason": "pause" }, "display_name"',
    );
    writeFileSync(world.registry, text);
    await archived(world.workspace, toArchive("alpha", { allowRegistered: true }));
    expect(readFileSync(world.registry, "utf8")).toBe(text);
    expect(await restore(world.workspace, toRestore("alpha"))).toMatchObject({ value: { activation: "stopped" } });
    expect(readFileSync(world.registry, "utf8")).toBe(text);
  });

  it("A1 takes an archive of another program as a new generation, and its rows with it", async () => {
    const path = join(world.root, "archived-goals/other-20260801T093000Z-2");
    fillGoal(path, "other");
    const before = snapshot(path);
    const restored = await restore(world.workspace, toRestore("other"));
    expect(restored).toMatchObject({ value: { generation: 1, activation: "not_registered", archive_path: path } });
    expect(snapshot(world.goal("other"))).toEqual(before);
  });

  it("E1 the newest archive by default; an older one, once there is a newer, as a new generation", async () => {
    const first = await archived(world.workspace, toArchive("old"));
    world.advance(60_000);
    fillGoal(world.goal("old"), "old");
    const second = await archived(world.workspace, toArchive("old"));
    expect(await restore(world.workspace, toRestore("old", { dryRun: true }))).toMatchObject({
      value: { archive_path: second.archive_path, generation: 2, restored: false },
    });
    expect(await restore(world.workspace, toRestore("old", { archivePath: first.archive_path }))).toMatchObject({
      value: { generation: 3 },
    });
    expect(await codeOf(restore(world.workspace, toRestore("old")))).toBe("goal_exists");
  });

  it("E2 refuses what would take a place, and what is no archive of the goal", async () => {
    const { archive_path } = await archived(world.workspace, toArchive("old"));
    expect(await codeOf(restore(world.workspace, toRestore("alpha")))).toBe("goal_exists");
    expect(await codeOf(restore(world.workspace, toRestore("none")))).toBe("unknown_archive");
    expect(await codeOf(restore(world.workspace, toRestore("none", { archivePath: archive_path })))).toBe("not_its_archive");
    expect(await codeOf(restore(world.workspace, toRestore("none", { archivePath: "nowhere" })))).toBe("unknown_archive");
    symlinkSync(archive_path, join(world.folder, "old-20260801T093000Z"));
    expect(await codeOf(restore(world.workspace, toRestore("old", { archivePath: "old-20260801T093000Z" })))).toBe(
      "archive_not_folder",
    );
    fillGoal(world.goal("x-20260801T093000Z"), "x-20260801T093000Z");
    expect(await codeOf(restore(world.workspace, toRestore("x", { archivePath: world.goal("x-20260801T093000Z") })))).toBe(
      "archive_inside_goals",
    );
    expect(await codeOf(restore(world.workspace, toRestore("../old")))).toBe("goal_id_separator");
    fillGoal(world.goal("old"), "old");
    expect(await codeOf(restore(world.workspace, toRestore("old")))).toBe("goal_exists");
    expect(existsSync(archive_path)).toBe(true);
  });

  it("B3 leaves both alone when something stands in the place meanwhile", async () => {
    const { archive_path } = await archived(world.workspace, toArchive("old"));
    await expect(restore(await world.another(dyingAt(1).steps), toRestore("old"))).rejects.toThrow("killed");
    write(join(world.goal("old"), "runs/index.jsonl"), "theirs");
    expect(await codeOf(restore(world.workspace, toRestore("old")))).toBe("goal_folder_taken");
    expect([existsSync(archive_path), readFileSync(join(world.goal("old"), "runs/index.jsonl"), "utf8")]).toEqual([
      true,
      "theirs",
    ]);
    rmSync(world.goal("old"), { recursive: true });
    expect(await codeOf(restore(world.workspace, toRestore("old")))).toBe("done");
  });
});

describe("archives", () => {
  it("pages newest first, the recorded and the found in one order", async () => {
    for (const stamp of ["20260101T000000Z", "20260301T000000Z", "20260201T000000Z"])
      mkdirSync(join(world.root, `archived-goals/py-${stamp}`), { recursive: true });
    await archived(world.workspace, toArchive("old"));
    const names: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const page: Awaited<ReturnType<typeof archives>> = await archives(world.workspace, {
        goalId: null,
        archiveRoot: null,
        limit: 1,
        cursor,
      });
      if (page.kind !== "done") throw new Error(page.code);
      names.push(...page.value.archives.map((row) => `${row.goal_id} ${row.generation}`));
      expect(page.value.archive_count).toBe(4);
      cursor = page.value.left_out.cursor;
      if (cursor === null) break;
    }
    expect(names).toEqual(["old 1", "py null", "py null", "py null"]);
    const ofOne = await archives(world.workspace, { goalId: "py", archiveRoot: null, limit: null, cursor: null });
    expect(ofOne).toMatchObject({ value: { archives: [{ archived_at: "2026-03-01T00:00:00.000Z" }, {}, {}] } });
  });
});
