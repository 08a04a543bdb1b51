import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { done, reject } from "../core/result.ts";
import { type ArchiveWorld, archiveWorld } from "./archive.sample.ts";
import {
  type ArchiveRuntimeGoalOptions,
  type ArchiveRuntimePayload,
  archiveRuntimeGoal,
  type OpenWorkspace,
  renderArchiveRuntimeMarkdown,
  validateGoalIdPathSegment,
} from "./seed-archive.ts";

let world: ArchiveWorld;
let opened: Parameters<OpenWorkspace>[0][] = [];
beforeEach(async () => {
  world = await archiveWorld();
  opened = [];
});
afterEach(() => world.remove());

async function run(options: Partial<ArchiveRuntimeGoalOptions>): Promise<ArchiveRuntimePayload> {
  const open: OpenWorkspace = async (where) => {
    opened.push(where);
    return { workspace: done(world.workspace), close: async () => undefined };
  };
  return await archiveRuntimeGoal(open, { goalId: "old", execute: false, ...options });
}

describe("S04 validateGoalIdPathSegment", () => {
  it.each(["a", "目标-甲", "🚀launch", "a.b", "__proto__", "-x"])("gives %j back as it was", (id) => {
    expect(validateGoalIdPathSegment(id)).toBe(id);
  });

  it.each([
    ["", "goal_id_empty"],
    ["..", "goal_id_traversal"],
    ["a/b", "goal_id_separator"],
    ["a\\b", "goal_id_separator"],
    ["a\0", "goal_id_control_character"],
    ["a ", "goal_id_trailing_dot_or_space"],
    ["NUL.txt", "goal_id_reserved"],
    ["x".repeat(10_000_000), "goal_id_too_long"],
    [undefined, "goal_id_not_text"],
  ])("throws a code for %#", (id, code) => {
    expect(() => validateGoalIdPathSegment(id)).toThrow(expect.objectContaining({ code }));
  });
});

describe("archiveRuntimeGoal", () => {
  it("S06 checks only, on a store that is not written, when told not to execute", async () => {
    const payload = await run({ registryPath: world.registry, runtimeRootOverride: world.root });
    expect(opened).toEqual([{ registry: world.registry, runtimeRoot: world.root, access: "read_only" }]);
    expect(payload).toMatchObject({ ok: true, dry_run: true, action: "would-move" });
    expect(existsSync(world.goal("old"))).toBe(true);
  });

  it("S05 moves when told to", async () => {
    const payload = await run({ execute: true, archiveRoot: join(world.folder, "there") });
    expect(opened[0]?.access).toBe("read_write");
    expect(payload).toMatchObject({ ok: true, archived: true });
    expect(readdirSync(join(world.folder, "there"))).toHaveLength(1);
  });

  it("gives a payload for every no", async () => {
    expect(await run({ goalId: "alpha", execute: true })).toMatchObject({
      ok: false,
      archived: false,
      code: "goal_registered",
      dry_run: false,
    });
    expect(await run({ goalId: "odl" })).toMatchObject({
      ok: false,
      code: "runtime_goal_not_found",
      near: ["old"],
      dry_run: true,
    });
    const unclear = { execute: undefined } as unknown as Pick<ArchiveRuntimeGoalOptions, "execute">;
    expect(await run(unclear)).toMatchObject({ ok: false, code: "execute_required" });
    const missing: OpenWorkspace = async () => ({ workspace: reject("registry_not_found", "no"), close: async () => undefined });
    expect(await archiveRuntimeGoal(missing, { goalId: "x", execute: true })).toMatchObject({
      code: "registry_not_found",
      registry: null,
    });
  });
});

describe("renderArchiveRuntimeMarkdown", () => {
  it("tells how to do what was only shown", async () => {
    const text = renderArchiveRuntimeMarkdown(await run({ goalId: "alpha", allowRegistered: true }));
    const lines = text.trimEnd().split("\n");
    expect(lines[0]).toBe("# LoopX Runtime Archive");
    expect(lines).toContain("## Checks");
    expect(lines.at(-1)).toContain("loopx archive --goal-id alpha --allow-registered --execute");
    const elsewhere = renderArchiveRuntimeMarkdown(await run({ archiveRoot: "an archive" }));
    expect(elsewhere).toContain(`--archive-root '${world.folder}/an archive' --execute`);
  });

  it("tells how to bring back what was moved, and why something was not", async () => {
    const moved = await run({ execute: true });
    expect(renderArchiveRuntimeMarkdown(moved)).toContain("loopx restore --goal-id old --archive-path");
    expect(renderArchiveRuntimeMarkdown(await run({ goalId: "alpha" }))).toContain("goal_registered");
    rmSync(world.goal("alpha"), { recursive: true });
    expect(renderArchiveRuntimeMarkdown(await run({ goalId: "a`b\u001b[2J" }))).not.toContain("\u001b");
  });
});
