import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GoalId } from "../core/id.ts";
import {
  type ArchiveWorld,
  archived,
  archiveWorld,
  codeOf,
  dyingAt,
  fillGoal,
  snapshot,
  toArchive,
  toRestore,
  write,
} from "./archive.sample.ts";
import { archive } from "./archive.ts";
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

describe("archive", () => {
  it("S03 S05 moves an unregistered folder with its journal and a manifest, and lists it", async () => {
    const before = snapshot(world.goal("old"));
    const answer = await archived(world.workspace, toArchive("old"));
    expect(answer).toMatchObject({
      ok: true,
      registry_member: false,
      source: world.goal("old"),
      archive_root: join(world.root, "archived-goals"),
      dry_run: false,
      archived: true,
      action: "moved",
      mounts: "same",
      generation: 1,
      warnings: [],
    });
    expect(answer.archive_path).toMatch(/\/old-\d{8}T\d{6}Z$/);
    expect(existsSync(world.goal("old"))).toBe(false);
    const journal = readFileSync(join(answer.archive_path, "journal.jsonl"), "utf8");
    expect(
      journal
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).type),
    ).toEqual(["goal.opened", "archive.started"]);
    const manifest = JSON.parse(readFileSync(join(answer.archive_path, "archive.json"), "utf8"));
    expect(manifest).toMatchObject({
      goal_id: "old",
      generation: 1,
      from: world.goal("old"),
      to: answer.archive_path,
      file_count: 5,
    });
    for (const name of ["archive.json", "journal.jsonl"]) rmSync(join(answer.archive_path, name));
    expect(snapshot(answer.archive_path)).toEqual(before);
    expect(await lifecycle("old")).toBe("archived");
    const listed = await archives(world.workspace, { goalId: null, archiveRoot: null, limit: null, cursor: null });
    expect(listed).toMatchObject({
      value: {
        archives: [{ goal_id: "old", archive_path: answer.archive_path, generation: 1, exists: true, restored_at: null }],
      },
    });
  });

  it("S05 refuses a registered goal without leave, and stops it with it", async () => {
    const refused = await archive(world.workspace, toArchive("alpha"));
    expect(refused).toMatchObject({
      kind: "refusal",
      code: "goal_registered",
      fix: "loopx archive --goal-id alpha --allow-registered",
    });
    expect(existsSync(world.goal("alpha"))).toBe(true);
    const answer = await archived(world.workspace, toArchive("alpha", { allowRegistered: true }));
    expect(answer).toMatchObject({ registry_member: true, archived: true });
    expect(activation()).toMatchObject({ state: "stopped", reason: "archived" });
    expect(JSON.parse(readFileSync(world.registry, "utf8")).goals[0].own).toEqual({ kept: [1, 2] });
  });

  it("S06 A1 a preview judges all of it and writes nothing", async () => {
    const registry = readFileSync(world.registry, "utf8");
    const before = snapshot(world.root).filter((line) => !line.includes("loopx.db"));
    const answer = await archived(world.workspace, toArchive("alpha", { allowRegistered: true, dryRun: true }));
    expect(answer).toMatchObject({ dry_run: true, archived: false, action: "would-move", generation: 1 });
    expect(snapshot(world.root).filter((line) => !line.includes("loopx.db"))).toEqual(before);
    expect(readFileSync(world.registry, "utf8")).toBe(registry);
    expect(await lifecycle("alpha")).toBeUndefined();
    expect(await codeOf(archive(world.workspace, toArchive("alpha", { dryRun: true })))).toBe("goal_registered");
    expect(await codeOf(archive(world.workspace, toArchive("none", { dryRun: true })))).toBe("runtime_goal_not_found");
  });

  it.each([
    "",
    " ",
    ".",
    "..",
    "../alpha",
    "old/",
    "a/b",
    "a\\b",
    "old ",
    " old",
    "o\0ld",
    "o\nld",
    "con",
    "x".repeat(300),
    "%2e%2e/x",
    "__proto__/x",
  ])("K1 refuses the id %j and touches nothing", async (id) => {
    const before = snapshot(world.root).filter((line) => !line.includes("loopx.db"));
    const reply = await archive(world.workspace, toArchive(id, { allowRegistered: true }));
    expect(reply).toMatchObject({ kind: "bad_input", code: expect.stringMatching(/^goal_id_/) });
    expect(snapshot(world.root).filter((line) => !line.includes("loopx.db"))).toEqual(before);
  });

  it("K1 an id that looks like a key of every object is an id like others", async () => {
    fillGoal(world.goal("__proto__"), "__proto__");
    expect((await archived(world.workspace, toArchive("__proto__"))).archived).toBe(true);
  });

  it("K2 moves no link, wherever it leads, and no file", async () => {
    mkdirSync(join(world.folder, "outside"));
    symlinkSync(join(world.folder, "outside"), world.goal("out"));
    symlinkSync(world.goal("old"), world.goal("in"));
    writeFileSync(world.goal("plain"), "x");
    expect(await codeOf(archive(world.workspace, toArchive("out")))).toBe("runtime_goal_link");
    expect(await codeOf(archive(world.workspace, toArchive("in")))).toBe("runtime_goal_link");
    expect(await codeOf(archive(world.workspace, toArchive("plain")))).toBe("runtime_goal_not_folder");
    expect(readdirSync(join(world.root, "goals"))).toHaveLength(5);
  });

  it("tells near names of a goal that is not there, and where an archived one went", async () => {
    expect(await archive(world.workspace, toArchive("odl"))).toMatchObject({ code: "runtime_goal_not_found", near: ["old"] });
    const { archive_path } = await archived(world.workspace, toArchive("old"));
    expect(await archive(world.workspace, toArchive("old"))).toMatchObject({ code: "goal_archived", details: { archive_path } });
  });

  it("P2 refuses an archive root inside the goals before it makes any folder", async () => {
    const inside = join(world.goal("old"), "archive/deep");
    expect(await codeOf(archive(world.workspace, toArchive("old", { archiveRoot: inside })))).toBe("archive_root_inside_goals");
    expect(existsSync(join(world.goal("old"), "archive"))).toBe(false);
    symlinkSync(world.goal("old"), join(world.folder, "hidden"));
    expect(await codeOf(archive(world.workspace, toArchive("old", { archiveRoot: "hidden/x" })))).toBe(
      "archive_root_inside_goals",
    );
    expect(await codeOf(archive(world.workspace, toArchive("old", { archiveRoot: join(world.registry, "x") })))).toBe(
      "archive_root_not_folder",
    );
    expect(await codeOf(archive(world.workspace, toArchive("old", { archiveRoot: " " })))).toBe("archive_root_invalid");
  });

  it("P1 a relative archive root belongs to the project, and ~ to the home folder", async () => {
    expect((await archived(world.workspace, toArchive("old", { archiveRoot: "kept/../there" }))).archive_root).toBe(
      join(world.folder, "there"),
    );
    fillGoal(world.goal("new"), "new");
    expect((await archived(world.workspace, toArchive("new", { archiveRoot: "~/archives" }))).archive_root).toBe(
      join(world.folder, "home/archives"),
    );
  });

  it("takes no name that the archive needs from files that are somebody's", async () => {
    write(join(world.goal("old"), "journal.jsonl"), "mine");
    expect(await codeOf(archive(world.workspace, toArchive("old")))).toBe("archive_names_taken");
    expect(readFileSync(join(world.goal("old"), "journal.jsonl"), "utf8")).toBe("mine");
  });

  it("S08 never nests: a name that is taken gets a random end", async () => {
    const { archive_path: first } = await archived(world.workspace, toArchive("old", { dryRun: true }));
    mkdirSync(first, { recursive: true });
    const answer = await archived(world.workspace, toArchive("old"));
    expect(answer.archive_path).toMatch(new RegExp(`^${first}-[0-9a-z]{8,}$`));
    expect(readdirSync(first)).toEqual([]);
  });

  it("refuses when something takes the target after the start, and goes on when it is gone", async () => {
    const { steps } = dyingAt(1);
    await expect(archive(await world.another(steps), toArchive("old"))).rejects.toThrow("killed");
    const { head } = await world.workspace.store.load({ goal_id: "old" as GoalId, todos: "none", base: "none" });
    const target = head?.lifecycle.kind === "archiving" ? head.lifecycle.target : "";
    mkdirSync(target, { recursive: true });
    expect(await codeOf(archive(world.workspace, toArchive("old")))).toBe("archive_path_taken");
    expect(existsSync(world.goal("old"))).toBe(true);
    rmSync(target, { recursive: true });
    expect((await archived(world.workspace, toArchive("old"))).archive_path).toBe(target);
  });

  it("N1 S08 the ten-thousandth archive of an id costs what the first did", async () => {
    const root = join(world.root, "archived-goals");
    const { goal_folders, tree } = world.workspace;
    const costs: number[] = [];
    for (const count of [0, 10_000]) {
      const { archive_path: stamp } = await archived(world.workspace, toArchive("old", { dryRun: true }));
      const taken = new Set(Array.from({ length: count }, (_, at) => (at === 0 ? stamp : `${stamp}-${at}`)));
      const listed: string[] = [];
      let looks = 0;
      const exists = (path: string): boolean => {
        looks += 1;
        return taken.has(path) || goal_folders.exists(path);
      };
      const entries = (path: string): ReturnType<typeof tree.entries> => {
        listed.push(path);
        return tree.entries(path);
      };
      const counting = { ...world.workspace, goal_folders: { ...goal_folders, exists }, tree: { ...tree, entries } };
      const { archive_path } = await archived(counting, toArchive("old"));
      costs.push(looks);
      expect(listed).not.toContain(root);
      await restore(world.workspace, toRestore("old", { archivePath: archive_path }));
    }
    expect(costs[1]).toBe(Number(costs[0]) + 1);
  });

  it("opens a new generation for a folder that was made anew after an archive", async () => {
    const first = await archived(world.workspace, toArchive("old"));
    fillGoal(world.goal("old"), "old");
    const second = await archived(world.workspace, toArchive("old"));
    expect([first.generation, second.generation]).toEqual([1, 2]);
    expect(second.archive_path).not.toBe(first.archive_path);
  });
});

describe("at once", () => {
  it("A2 several archives of one goal: one move, and everyone is told of it or refused", async () => {
    const others = await Promise.all(Array.from({ length: 4 }, () => world.another()));
    const replies = await Promise.all([...others, ...others].map((workspace) => archive(workspace, toArchive("old"))));
    const paths = new Set(replies.flatMap((reply) => (reply.kind === "done" ? [reply.value.archive_path] : [])));
    expect(paths.size).toBe(1);
    for (const reply of replies) if (reply.kind !== "done") expect(["goal_archived", "goal_moving"]).toContain(reply.code);
    expect(readdirSync(join(world.root, "archived-goals"))).toHaveLength(1);
    expect(existsSync(world.goal("old"))).toBe(false);
  });
});
