/**
 * A disk that is full or broken: either the command did nothing and says why, or it did what it says. The next try succeeds.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { facts, rowsOf, runsIn, seen, withoutTime } from "./look.ts";
import { type Json, loopx, ownFiles, STATE } from "./program.ts";
import { type Blow, type Hit, sweep } from "./sweep.ts";

const REFRESH = [
  "refresh",
  "--goal-id",
  "alpha",
  "--classification",
  "progress",
  "--turn-instance-id",
  "turn-1",
  "--next-action",
  "Go on.",
];
const AFTER = withoutTime(STATE.replace("Begin.", "Go on."));

function codes(blow: Exclude<Blow, "kill">): readonly string[] {
  return blow.errno === "ENOSPC" ? ["disk_full"] : ["io_error"];
}

/** Every command is either done, or it left everything as it was. */
async function checkEither(
  { of, run: ended, point }: Hit,
  blow: Exclude<Blow, "kill">,
  before: ReadonlyMap<string, string>,
): Promise<void> {
  expect([0, 5]).toContain(ended.exit);
  const said: Json = JSON.parse(ended.stdout);
  const recorded = runsIn(await facts(of)) - 1;
  if (ended.exit === 0) expect(recorded).toBe(1);
  // Whether what a sync failed for is on the disk is not known to anybody: then, and only then, the run may be there.
  else expect(recorded).toBeLessThanOrEqual(blow.calls.includes("fsync") ? 1 : 0);
  if (ended.exit === 5) {
    expect(said).toMatchObject({ ok: false, retry: true });
    expect(codes(blow)).toContain(said.code);
    if (recorded === 0) expect(ownFiles(of)).toEqual(before);
  } else {
    expect(said).toMatchObject({ ok: true, appended: true });
    const text = withoutTime(readFileSync(of.stateFile(), "utf8"));
    expect([AFTER, withoutTime(STATE)]).toContain(text);
    if (text !== AFTER) expect(said.warnings).not.toEqual([]);
  }
  const again = await loopx(of, ...REFRESH);
  expect([again.exit, again.stderr, point.file]).toEqual([0, "", point.file]);
  expect(runsIn(await facts(of))).toBe(2);
  expect(withoutTime(readFileSync(of.stateFile(), "utf8"))).toBe(AFTER);
  expect(new Set(rowsOf(of)).size).toBe(rowsOf(of).length);
}

describe.each<[string, Exclude<Blow, "kill">]>([
  ["the disk is full from there on", { errno: "ENOSPC", lasts: "from_then_on", calls: ["pwrite64", "link", "mkdir"] }],
  ["one write finds the disk full", { errno: "ENOSPC", lasts: "once", calls: ["write"] }],
  ["one write meets EIO", { errno: "EIO", lasts: "once", calls: ["pwrite64", "write"] }],
  ["one sync meets EIO", { errno: "EIO", lasts: "once", calls: ["fsync", "fdatasync"] }],
  ["no sync works any more", { errno: "EIO", lasts: "from_then_on", calls: ["fsync", "fdatasync"] }],
])("%s", (_, blow) => {
  test("at every point of a refresh", async () => {
    const before = new Map<string, ReadonlyMap<string, string>>();
    const { points, failures } = await sweep({
      blow,
      setUp: async (of) => {
        await seen(of);
        before.set(of.folder, ownFiles(of));
      },
      args: REFRESH,
      check: (hit) => checkEither(hit, blow, before.get(hit.of.folder) ?? new Map()),
    });
    expect(failures).toEqual([]);
    expect(points).toBeGreaterThanOrEqual(3);
  });
});
