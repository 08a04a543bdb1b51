import { expect, test } from "vitest";
import { type ProgressOptions, progressLine } from "./progress.ts";

function held(isTerminal: boolean, mode: ProgressOptions["mode"]) {
  const clock = { now: 0 };
  const written: string[] = [];
  const line = progressLine({
    write: (text) => written.push(text),
    isTerminal: () => isTerminal,
    mode,
    elapsed: () => clock.now,
  });
  const reportEvery = (step: number, until: number): void => {
    for (; clock.now <= until; clock.now += step) line.report(clock.now, until, "rows");
  };
  return { clock, written, line, reportEvery };
}

test("G1: the first second is quiet", () => {
  const { written, reportEvery, line } = held(true, "always");
  reportEvery(10, 990);
  line.clear();
  expect(written).toEqual([]);
});

test("G1: a program hears nothing unless it asked", () => {
  const { written, reportEvery } = held(false, "terminal only");
  reportEvery(10, 5000);
  expect(written).toEqual([]);
});

test("G2: a terminal gets one line that is overwritten at most five times a second and then taken away", () => {
  const { written, reportEvery, line } = held(true, "terminal only");
  reportEvery(10, 3000);
  expect(written.length).toBeGreaterThanOrEqual(8);
  expect(written.length).toBeLessThanOrEqual(11);
  expect(written[0]).toBe("\r\u001b[K1000 of 3000 rows (33 %)");
  line.clear();
  line.clear();
  expect(written.filter((text) => text === "\r\u001b[K")).toHaveLength(1);
});

test("G2: elsewhere there is a line a second", () => {
  const { written, reportEvery } = held(false, "always");
  reportEvery(10, 3000);
  expect(written.map((text) => text.slice(0, 4))).toEqual(["1000", "2000", "3000"]);
  expect(written.every((text) => text.endsWith("\n"))).toBe(true);
});

test("an unknown total is left out", () => {
  const { written, line, clock } = held(false, "always");
  clock.now = 1000;
  line.report(7, null, "goals");
  expect(written).toEqual(["7 goals\n"]);
});
