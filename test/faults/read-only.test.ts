/** A disk that cannot be written: reads answer what they answer on a writable copy; writes say why and change nothing. */
import { cpSync, rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { bytesBelow, type Json, loopx, type Project, project, run, STATE, writeTo } from "./program.ts";

let of: Project;

beforeEach(async () => {
  of = project(["alpha", "beta"]);
});

afterEach(() => of.remove());

/** In a mount namespace of its own, where the folder is read-only. */
function readOnly(argv: readonly string[]): readonly string[] {
  const script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && cd "$0" && exec "$@"';
  return ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, of.folder, ...argv];
}

const READS = [
  ["status"],
  ["status", "--goal-id", "alpha"],
  ["history"],
  ["history", "--goal-id", "alpha"],
  ["drift"],
  ["goal", "list"],
  ["goal", "show", "--goal-id", "beta"],
  ["registry"],
] as const;

/** Instants of the reading itself differ. */
function withoutMoments(text: string): Json {
  const moments = new Set(["checked", "gathered_at", "since", "age", "now", "oldest"]);
  return JSON.parse(text, (key, value) => (moments.has(key) ? null : value));
}

/** The same command on the read-only disk first, then where it may write. */
async function sameAnswers(): Promise<void> {
  const before = bytesBelow(of.folder);
  for (const args of READS) {
    const there = await run(readOnly(of.argv(...args)));
    expect([args, there.exit, there.stderr]).toEqual([args, 0, ""]);
    expect(bytesBelow(of.folder)).toEqual(before);
    const copy = `${of.folder}.copy`;
    cpSync(of.folder, copy, { recursive: true, preserveTimestamps: true });
    const here = await loopx(of, ...args);
    rmSync(of.folder, { recursive: true });
    cpSync(copy, of.folder, { recursive: true, preserveTimestamps: true });
    rmSync(copy, { recursive: true });
    expect([args, withoutMoments(there.stdout)]).toEqual([args, withoutMoments(here.stdout)]);
  }
}

describe("a read-only disk", () => {
  test("reads answer the same on a project that LoopX has never seen", sameAnswers);

  test("reads answer the same on one it knows", async () => {
    expect((await loopx(of, "refresh", "--goal-id", "alpha", "--next-action", "Go on.")).exit).toBe(0);
    expect((await loopx(of, "status")).exit).toBe(0);
    await sameAnswers();
  });

  test("reads answer the same when a person has edited since, and runs of others were appended", async () => {
    expect((await loopx(of, "refresh", "--goal-id", "alpha")).exit).toBe(0);
    writeTo(of.stateFile("beta"), STATE.replace("Begin.", "Theirs.").replace("- [ ] Write", "- [x] Write"));
    const row = { generated_at: "2026-03-01T00:00:00+00:00", goal_id: "beta", classification: "progress", json_path: "/x.json" };
    writeTo(`${of.root}/goals/beta/runs/index.jsonl`, `${JSON.stringify(row)}\n{"torn`);
    await sameAnswers();
  });

  test("reads answer the same beside a log that was not checkpointed", async () => {
    expect((await loopx(of, "refresh", "--goal-id", "alpha")).exit).toBe(0);
    const { killing } = await import("./trace.ts");
    // Killed at the sync of its last close: the log is full and stays.
    const died = await run(killing(of.argv("refresh", "--goal-id", "alpha"), { syscall: "unlink", ordinal: 1 }, "/dev/null"), {
      cwd: of.folder,
    });
    expect(died.exit).toBe(137);
    await sameAnswers();
  });

  test("writes say why they cannot, and change nothing", async () => {
    expect((await loopx(of, "refresh", "--goal-id", "alpha")).exit).toBe(0);
    const before = bytesBelow(of.folder);
    for (const args of [
      ["refresh", "--goal-id", "alpha"],
      ["refresh", "--goal-id", "alpha", "--next-action", "Go on."],
      ["refresh", "--all"],
    ]) {
      const there = await run(readOnly(of.argv(...args)));
      if (args.includes("--all") && there.exit === 0) continue;
      expect([args, there.exit]).toEqual([args, 5]);
      expect(JSON.parse(there.stdout)).toMatchObject({ ok: false, code: "read_only", retry: false });
    }
    expect(bytesBelow(of.folder)).toEqual(before);
  });

  test("a state file alone that cannot be written is a warning: the run is recorded, the text is due", async () => {
    const path = of.stateFile();
    const script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
    const argv = of.argv("refresh", "--goal-id", "alpha", "--next-action", "Go on.");
    const there = await run(["unshare", "--mount", "--propagation", "private", "sh", "-c", script, path, ...argv], {
      cwd: of.folder,
    });
    expect([there.exit, there.stderr]).toEqual([0, ""]);
    expect(JSON.parse(there.stdout)).toMatchObject({ ok: true, warnings: [{ code: "read_only" }] });
    const later = await loopx(of, "refresh", "--all");
    expect(later.exit).toBe(0);
    expect(bytesBelow(of.folder).get("goals/alpha/ACTIVE_GOAL_STATE.md")).toContain("- Go on.");
  });
});

describe("a small disk", () => {
  /** In a mount namespace of its own, on a file system of that size that was filled. */
  test("that is full refuses with the cause, leaves all as it was, and works when there is room", async () => {
    const script = [
      "set -e",
      'mount -t tmpfs -o size=2m tmpfs "$0"',
      'cp -r "$1/." "$0"; shift; cd "$0"',
      '"$@" > /tmp/loopx-small-first.$$ 2>&1',
      "head -c 3m /dev/zero > filler 2>/dev/null || true",
      "find . -type f ! -name filler ! -name 'loopx.db*' ! -name loopx.log | sort | xargs sha256sum > /tmp/loopx-small-before.$$",
      'set +e; "$@"; first=$?; set -e',
      "find . -type f ! -name filler ! -name 'loopx.db*' ! -name loopx.log | sort | xargs sha256sum > /tmp/loopx-small-after.$$",
      "cmp -s /tmp/loopx-small-before.$$ /tmp/loopx-small-after.$$ && same=yes || same=no",
      'rm filler; "$@" > /tmp/loopx-small-last.$$',
      'echo "=== $first $same"; cat /tmp/loopx-small-last.$$; rm -f /tmp/loopx-small-*.$$',
    ].join("\n");
    const copy = project(["alpha"]);
    try {
      const argv = of.argv("refresh", "--goal-id", "alpha", "--next-action", "Go on.");
      const small = await run([
        "unshare",
        "--mount",
        "--propagation",
        "private",
        "sh",
        "-c",
        script,
        of.folder,
        copy.folder,
        ...argv,
      ]);
      expect([small.exit, small.stderr]).toEqual([0, ""]);
      const [refused = "", rest = ""] = small.stdout.split("=== ");
      expect(JSON.parse(refused)).toMatchObject({ ok: false, code: "disk_full", retry: true });
      expect(rest.slice(0, rest.indexOf("\n"))).toBe("5 yes");
      expect(JSON.parse(rest.slice(rest.indexOf("\n")))).toMatchObject({ ok: true, appended: true });
    } finally {
      copy.remove();
    }
  });
});
