/**
 * A goal's folder on its way between two disks and on one: stopped before every single step, met by several processes at
 * once, and written to by another program.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { folderSteps } from "../../src/adapters/files/folder-steps.ts";
import {
  type ArchiveWorld,
  archiveWorld,
  dyingAt,
  OTHER_DISK,
  snapshot,
  toArchive,
  toRestore,
  write,
} from "../../src/commands/archive.sample.ts";
import { type ArchiveAnswer, archive } from "../../src/commands/archive.ts";
import { finishMoves } from "../../src/commands/archive-finish-moves.ts";
import { restore } from "../../src/commands/restore.ts";
import type { MovingWorkspace } from "../../src/commands/workspace.ts";
import type { GoalId } from "../../src/core/id.ts";

let world: ArchiveWorld;
beforeEach(async () => {
  if (OTHER_DISK === null) throw new Error("this machine has no second file system at /dev/shm");
  world = await archiveWorld();
});
afterEach(() => world.remove());

async function archived(workspace: MovingWorkspace, request: ReturnType<typeof toArchive>): Promise<ArchiveAnswer> {
  const reply = await archive(workspace, request);
  if (reply.kind !== "done") throw new Error(`${reply.code}: ${reply.message}`);
  return reply.value;
}

async function lifecycle(id: string): Promise<string | undefined> {
  const { head } = await world.workspace.store.load({ goal_id: id as GoalId, todos: "none", base: "none" });
  return head?.lifecycle.kind;
}

const activation = (): { readonly state?: string } => JSON.parse(readFileSync(world.registry, "utf8")).goals[0].activation ?? {};

describe.each(["same", "other"] as const)("killed at any step, %s disk", (disk) => {
  const rootOf = (): string | null => (disk === "other" ? world.elsewhere() : null);

  /** Everything that was in the goal's folder is in its old or in its new place. */
  function isWhole(before: readonly string[], places: readonly string[]): boolean {
    return places.some(
      (place) => existsSync(place) && before.every((line) => line.startsWith("/ ") || snapshot(place).includes(line)),
    );
  }

  it("C1 C2 archive: one place is whole, and the next command finishes", async () => {
    const before = snapshot(world.goal("alpha"));
    const archiveRoot = rootOf();
    for (let step = 1; ; step += 1) {
      const dying = await world.another(dyingAt(step).steps);
      const killed = await archive(dying, toArchive("alpha", { allowRegistered: true, archiveRoot })).catch(() => null);
      await world.leave(dying);
      const { head } = await world.workspace.store.load({ goal_id: "alpha" as GoalId, todos: "none", base: "none" });
      const target = head?.lifecycle.kind === "archiving" || head?.lifecycle.kind === "archived" ? head.lifecycle.target : "";
      expect(isWhole(before, [world.goal("alpha"), target])).toBe(true);
      if (!existsSync(world.goal("alpha"))) expect(activation().state).toBe("stopped");
      expect((await finishMoves(world.workspace, "alpha" as GoalId)).kind).toBe("done");
      expect([await lifecycle("alpha"), existsSync(world.goal("alpha")), activation().state]).toEqual([
        "archived",
        false,
        "stopped",
      ]);
      expect(readdirSync(join(target, "..")).filter((name) => name.startsWith("."))).toEqual([]);
      expect(readdirSync(world.root).filter((name) => name.startsWith("."))).toEqual([]);
      expect((await restore(world.workspace, toRestore("alpha"))).kind).toBe("done");
      expect(snapshot(world.goal("alpha"))).toEqual(before);
      world.advance(1000);
      if (killed !== null) break;
      expect(step).toBeLessThan(300);
    }
  });

  it("B1 restore: one place is whole, and the next command finishes", async () => {
    const before = snapshot(world.goal("alpha"));
    const archiveRoot = rootOf();
    for (let step = 1; ; step += 1) {
      const { archive_path } = await archived(world.workspace, toArchive("alpha", { allowRegistered: true, archiveRoot }));
      const dying = await world.another(dyingAt(step).steps);
      const killed = await restore(dying, toRestore("alpha")).catch(() => null);
      await world.leave(dying);
      expect(isWhole(before, [world.goal("alpha"), archive_path])).toBe(true);
      expect((await finishMoves(world.workspace, "alpha" as GoalId)).kind).toBe("done");
      expect(snapshot(world.goal("alpha"))).toEqual(before);
      expect([await lifecycle("alpha"), existsSync(archive_path), activation().state]).toEqual(["active", false, "active"]);
      expect(readdirSync(join(archive_path, "..")).filter((name) => name.startsWith("."))).toEqual([]);
      expect(readdirSync(world.root).filter((name) => name.startsWith("."))).toEqual([]);
      world.advance(1000);
      if (killed !== null) break;
      expect(step).toBeLessThan(300);
    }
  });
});

describe("at once", () => {
  it("A2 to another disk, and back", async () => {
    const archiveRoot = world.elsewhere();
    const before = snapshot(world.goal("old"));
    const others = await Promise.all(Array.from({ length: 3 }, () => world.another()));
    const replies = await Promise.all(others.map((workspace) => archive(workspace, toArchive("old", { archiveRoot }))));
    for (const reply of replies) if (reply.kind !== "done") expect(["goal_archived", "goal_moving"]).toContain(reply.code);
    expect(replies.some((reply) => reply.kind === "done")).toBe(true);
    expect(readdirSync(archiveRoot)).toHaveLength(1);
    const back = await Promise.all(others.map((workspace) => restore(workspace, toRestore("old"))));
    for (const reply of back)
      if (reply.kind !== "done") expect(["goal_exists", "goal_moving", "unknown_archive"]).toContain(reply.code);
    expect(back.some((reply) => reply.kind === "done")).toBe(true);
    expect(snapshot(world.goal("old"))).toEqual(before);
  });

  it("C4 keeps what another program adds to the folder while it is copied", async () => {
    const archiveRoot = world.elsewhere();
    let added = false;
    const steps = {
      ...folderSteps,
      rename: (from: Parameters<typeof folderSteps.rename>[0], to: Parameters<typeof folderSteps.rename>[1]) => {
        folderSteps.rename(from, to);
        if (added || !String(to).startsWith(archiveRoot) || String(to).includes(".partial")) return;
        added = true;
        write(join(world.goal("old"), "runs/late.json"), "late");
      },
    };
    const answer = await archived(await world.another(steps), toArchive("old", { archiveRoot }));
    expect(answer.mounts).toBe("different");
    expect(answer.warnings).toMatchObject([{ code: "archive_source_kept", path: world.goal("old") }]);
    expect(readFileSync(join(world.goal("old"), "runs/late.json"), "utf8")).toBe("late");
    expect(existsSync(join(answer.archive_path, "runs/index.jsonl"))).toBe(true);
  });
});
