import { expect, test } from "vitest";
import { environmentDigest, packageEnvironment, verifierEnvironment } from "./environment.ts";

const same = (text: string): string => text;

test("E1: what differs from shell to shell is not handed on, all else is", () => {
  const own = { PATH: "/bin", PWD: "/here", SHLVL: "3", _: "/bin/x", TERM: "xterm", GONE: undefined, EMPTY: "" };
  expect(verifierEnvironment(own, {})).toEqual({ PATH: "/bin", EMPTY: "" });
});

test("E2: package caches are those of the capability", () => {
  const given = verifierEnvironment({ npm_config_cache: "/mine", HOME: "/home/me" }, packageEnvironment("/runtime/cache/a"));
  expect(given).toMatchObject({
    npm_config_cache: "/runtime/cache/a/npm",
    HOME: "/home/me",
    PIP_CACHE_DIR: "/runtime/cache/a/pip",
  });
  const own = Object.values(packageEnvironment("/a"));
  expect(new Set(own).size).toBe(own.length);
});

test("E1: the digest depends on names and values, not on their order", () => {
  const digest = environmentDigest({ A: "1", B: "2" }, same);
  expect(environmentDigest({ B: "2", A: "1" }, same)).toBe(digest);
  for (const other of [{ A: "1", B: "3" }, { A: "1", C: "2" }, { A: "1" }, { A: '1","B', B: "2" }, {}]) {
    expect(environmentDigest(other, same)).not.toBe(digest);
  }
});

test("E1, E3: whose turn it is is handed on and does not count, where its result goes is not", () => {
  const own = { PATH: "/bin", LOOPX_TODO_ID: "todo_one", LOOPX_TURN_RESULT_FILE: "/r/t1.result.json" };
  const marks = { LOOPX_SESSION_MARKER: "run-1", LOOPX_AGENT_ID: "a1", LOOPX_TURN_ID: "turn-1" };
  const given = verifierEnvironment({ ...own, ...marks }, {});
  expect(given).toEqual({ PATH: "/bin", LOOPX_TODO_ID: "todo_one", ...marks });
  const others = { LOOPX_SESSION_MARKER: "run-2", LOOPX_AGENT_ID: "a2", LOOPX_TURN_ID: "turn-2" };
  const digest = environmentDigest(given, same);
  expect(environmentDigest(verifierEnvironment({ ...own, ...others }, {}), same)).toBe(digest);
  expect(environmentDigest(verifierEnvironment(own, {}), same)).toBe(digest);
  expect(environmentDigest({ ...given, LOOPX_TODO_ID: "todo_two" }, same)).not.toBe(digest);
});
