import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { failingAtRandom } from "./random-failure.ts";

const WRITER = `
const counts = { done: 0, ENOSPC: 0, EIO: 0 };
const file = fs.openSync(process.argv[1], "w");
for (let round = 0; round < 200; round += 1) {
  try { fs.writeSync(file, "x", round); fs.fsyncSync(file); counts.done += 1; } catch (error) { counts[error.code] += 1; }
}
console.log(JSON.stringify(counts));
`;

test("a share of writes and syncs fails with the errors asked for", () => {
  const folder = mkdtempSync(join(tmpdir(), "loopx-fiu-"));
  try {
    const argv = failingAtRandom(
      [process.execPath, "-e", WRITER, join(folder, "file")],
      [
        { point: "posix/io/rw/pwrite", probability: 0.1, errno: "ENOSPC" },
        { point: "posix/io/sync/fsync", probability: 0.1, errno: "EIO" },
      ],
    );
    const run = spawnSync(argv[0] ?? "", argv.slice(1), { encoding: "utf8" });
    const counts = JSON.parse(/\{[^}]*\}/.exec(run.stdout)?.[0] ?? "{}");
    expect(counts.ENOSPC).toBeGreaterThan(0);
    expect(counts.EIO).toBeGreaterThan(0);
    expect(counts.done).toBeGreaterThan(0);
    const written = [...readFileSync(join(folder, "file"), "latin1")].filter((character) => character === "x").length;
    expect(written).toBe(counts.done + counts.EIO);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
