import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fdSink } from "./sink.ts";

test("S1: writes arrive whole and in order, also when nobody waits in between", async () => {
  const folder = mkdtempSync(join(tmpdir(), "loopx-sink-"));
  const file = openSync(join(folder, "out"), "w");
  try {
    const sink = fdSink(file);
    const texts = Array.from({ length: 50 }, (_, count) => `${count}:${"é".repeat(10_000)}\n`);
    await Promise.all(texts.map((text) => sink.write(text)));
    expect(readFileSync(join(folder, "out"), "utf8")).toBe(texts.join(""));
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
});

test("S2: a descriptor that is not there drops what is written and says so once", async () => {
  let told = 0;
  const sink = fdSink(987_654);
  sink.onClosed(() => {
    told += 1;
  });
  await sink.write("x");
  await sink.write("y");
  expect([sink.closed, told]).toEqual([true, 1]);
});
