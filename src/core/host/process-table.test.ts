import { expect, test } from "vitest";
import { hasMarks, readPsLine, readStat, saysMarks } from "./process-table.ts";

const REST = "0 -1 4194560 100 0 0 0 1 2 0 0 20 0 1 0 8812345 1000 10 18446744073709551615";

test.each([["node"], ["a b"], ["x) R 1 (y"], ["two\nlines"], [""]])("P1: a program of the name %j is no riddle", (name) => {
  expect(readStat(`42 (${name}) S 1 40 40 ${REST}`)).toEqual({ pid: 42, group: 40, started: "8812345", runs: true });
});

test.each(["Z", "X", "x"])("P2: in state %s it runs no more", (state) => {
  expect(readStat(`42 (node) ${state} 1 40 40 ${REST}`)).toMatchObject({ runs: false });
});

test.each([[""], ["42 (node"], ["42 (node) S"], ["42 (node) S 1 40 40 0"], ["x (node) S 1 40 40 0"]])(
  "%j is no process",
  (text) => {
    expect(readStat(text)).toBeNull();
  },
);

test("a line of ps", () => {
  const line = "  42   40 Ss+  Mon Nov 30 08:00:00 2026 node a.js LOOPX_TURN_ID=t HOME=/h";
  expect(readPsLine(line)).toEqual({
    pid: 42,
    group: 40,
    started: "Mon Nov 30 08:00:00 2026",
    runs: true,
    rest: "node a.js LOOPX_TURN_ID=t HOME=/h",
  });
  expect(readPsLine("42 40 Z  Mon Nov  3 08:00:00 2026")).toMatchObject({
    runs: false,
    rest: "",
    started: "Mon Nov 3 08:00:00 2026",
  });
  expect(readPsLine("PID PGID")).toBeNull();
});

test("marks are whole variables", () => {
  const environ = "PATH=/bin\0LOOPX_TURN_ID=t-1\0LOOPX_SESSION_MARKER=m\0";
  expect(hasMarks(environ, { LOOPX_TURN_ID: "t-1", LOOPX_SESSION_MARKER: "m" })).toBe(true);
  expect(hasMarks(environ, { LOOPX_TURN_ID: "t" })).toBe(false);
  expect(hasMarks(environ, { TURN_ID: "t-1" })).toBe(false);
  expect(saysMarks("node LOOPX_TURN_ID=t-1 LOOPX_SESSION_MARKER=m", { LOOPX_TURN_ID: "t-1" })).toBe(true);
});

test("P3: without marks nothing is found", () => {
  expect(hasMarks("PATH=/bin\0", {})).toBe(false);
  expect(saysMarks("node PATH=/bin", {})).toBe(false);
});
