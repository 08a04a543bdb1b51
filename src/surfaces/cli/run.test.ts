import { expect, test } from "vitest";
import { done, refuse, reject } from "../../core/result.ts";
import { statusPayload } from "../../core/show/markdown/pages.sample.ts";
import { NOW, sampleView } from "../../core/show/view.sample.ts";
import { Fault } from "../../errors.ts";
import { runFake } from "./host.sample.ts";

test("R1: an answer goes to stdout, as JSON with two spaces and one line feed", async () => {
  const { exit, out, err } = await runFake(["history", "--json"], { answer: () => done({ ok: true, runs: [] }) });
  expect(out).toBe('{\n  "ok": true,\n  "runs": []\n}\n');
  expect([exit, err]).toEqual([0, ""]);
});

test("R3: an answer that says ok: false exits 1", async () => {
  const { exit, err } = await runFake(["doctor", "--json"], { answer: () => done({ ok: false, findings: ["old engine"] }) });
  expect([exit, err]).toEqual([1, ""]);
});

test("R1: a refusal has its facts in JSON on stdout, and in words on stderr", async () => {
  const answer = () =>
    refuse("goal_stopped", "Goal g is stopped", { fix: "loopx goal resume --goal-id g", details: { since: "x", ok: true } });
  const json = await runFake(["refresh", "--goal-id", "g", "--json"], { answer });
  expect(JSON.parse(json.out)).toEqual({
    ok: false,
    code: "goal_stopped",
    message: "Goal g is stopped",
    fix: "loopx goal resume --goal-id g",
    retry: false,
    since: "x",
    error: "Goal g is stopped",
  });
  expect([json.exit, json.err]).toEqual([1, ""]);
  const words = await runFake(["refresh", "--goal-id", "g"], { answer });
  expect([words.exit, words.out]).toEqual([1, ""]);
  expect(words.err).toContain("Goal g is stopped");
  expect(words.err).toContain("Try: loopx goal resume --goal-id g\n");
});

test("R1: problems name path, line and column; near matches are listed", async () => {
  const problem = { path: "/p/registry.json", line: 3, column: 9, code: "json_syntax", message: "a comma is missing" };
  const { exit, err } = await runFake(["status"], {
    answer: () => reject("unknown_goal", "No goal is called x", { problems: [problem], near: ["xy"] }),
  });
  expect(exit).toBe(3);
  expect(err).toContain("/p/registry.json:3:9: a comma is missing");
  expect(err).toContain("xy");
});

test("R1: a fault shows its cause and hint, exits 5 and is logged", async () => {
  const answer = () => {
    throw new Fault({
      code: "disk_full",
      message: "The store cannot be written",
      hint: "Free some space",
      cause: new Error("ENOSPC"),
    });
  };
  const words = await runFake(["status"], { answer });
  expect(words.exit).toBe(5);
  expect(words.err).toMatch(/The store cannot be written[\s\S]*ENOSPC[\s\S]*Free some space/);
  expect(words.logged).toContainEqual({ level: "error", event: "command.fault" });
  const json = await runFake(["status", "--json"], { answer });
  expect(JSON.parse(json.out)).toMatchObject({
    ok: false,
    code: "disk_full",
    fix: "Free some space",
    retry: true,
    cause: "ENOSPC",
  });
});

test("R1: a fault of another bundle is a fault", async () => {
  const answer = () => {
    throw Object.assign(new Error("The store is busy"), { name: "Fault", code: "store_busy", hint: null });
  };
  expect((await runFake(["status"], { answer })).exit).toBe(5);
});

test("R1: a bug prints a report without what the user wrote, and exits 70", async () => {
  const answer = () => {
    throw new TypeError("x is not a function, token=abc");
  };
  const { exit, err, out, logged, closed } = await runFake(
    ["refresh", "--goal-id", "private-name", "--next-action", "secret plan"],
    { answer },
  );
  expect([exit, out, closed]).toEqual([70, "", 1]);
  expect(err).toMatch(/loopx 9\.8\.7 · node 1 test · c1/);
  expect(err).toMatch(/command: loopx refresh --goal-id … --next-action …/);
  expect(err).toContain("TypeError: x is not a function, token=***");
  expect(err).toMatch(/at .*run\.test\.ts/);
  expect(err).not.toMatch(/private-name|secret plan|abc/);
  expect(logged).toContainEqual({ level: "error", event: "command.bug" });
  const json = await runFake(["refresh", "--goal-id", "g", "--json"], { answer });
  expect(JSON.parse(json.out)).toMatchObject({ ok: false, code: "bug", fix: null });
});

test("R2: nothing is opened for bad arguments, help and version", async () => {
  for (const argv of [["statsu"], ["status", "--limit", "x"], ["--help"], ["help", "status"], ["--version"], ["version"]]) {
    expect((await runFake(argv)).opened).toBe(0);
  }
});

test("bad arguments exit 2, in the form that was asked for", async () => {
  const words = await runFake(["statsu"]);
  expect([words.exit, words.out]).toEqual([2, ""]);
  expect(words.err).toContain("Try: loopx status\n");
  const json = await runFake(["--format", "json", "statsu"]);
  expect([json.exit, json.err]).toEqual([2, ""]);
  expect(JSON.parse(json.out)).toMatchObject({
    ok: false,
    code: "unknown_command",
    near: ["status"],
    fix: "loopx --format json status",
  });
});

test("--json beside --format markdown is refused", async () => {
  const { exit, out } = await runFake(["status", "--json", "--format", "json"]);
  expect([exit, JSON.parse(out).ok]).toEqual([0, true]);
  const conflict = await runFake(["status", "--json", "--format", "markdown"]);
  expect([conflict.exit, conflict.err.includes("Try: loopx status --format markdown")]).toEqual([2, true]);
});

test("control characters of an answer do not reach the terminal", async () => {
  const title = "\u001b[2J\u001b]52;c;eA==\u0007 \u202e \u009b31m title";
  const view = sampleView({ next_action: { entries: [title], since: NOW } });
  const { out } = await runFake(["status"], { answer: () => done(statusPayload([view])) });
  expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(out).toContain("\\u{1b}");
  const json = await runFake(["status", "--json"], { answer: () => done({ ok: true, title }) });
  expect(json.out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(JSON.parse(json.out).title).toBe(title);
  const no = await runFake(["status"], { answer: () => refuse("x", title) });
  expect(no.err).not.toContain("\u001b");
});

test("loopx alone shows the status of a project, and what to type where there is none", async () => {
  const inside = await runFake([], { answer: () => done(statusPayload([])) });
  expect(inside.calls.map((call) => call.use_case)).toEqual(["status"]);
  const answer = () => reject("nothing_here", "There is no registry");
  const outside = await runFake([], { answer });
  expect([outside.exit, outside.err]).toEqual([0, ""]);
  expect(outside.out).toContain("loopx init --objective");
  expect((await runFake(["status"], { answer })).exit).toBe(3);
  expect((await runFake(["--json"], { answer })).exit).toBe(3);
});

test("settings carry the global options, LOOPX_LOG and --verbose", async () => {
  const plain = await runFake(["--registry", "R", "status", "--runtime-root", "D"]);
  expect(plain.settings).toMatchObject({
    registry: "R",
    runtimeRoot: "D",
    cwd: "/project",
    log: { level: "warn", file: null, echo: null },
  });
  const set = await runFake(["status"], { env: { LOOPX_LOG: "info:/tmp/x.log" } });
  expect(set.settings?.log).toMatchObject({ level: "info", file: "/tmp/x.log", correlation: "c1" });
  const verbose = await runFake(["status", "--verbose"]);
  expect(verbose.settings?.log.level).toBe("debug");
  expect(verbose.settings?.log.echo).not.toBeNull();
});

test("watch shows an answer when it changes, as one JSON object a line", async () => {
  let round = 0;
  const states = ["a", "a", "b"];
  const { out, slept, exit, closed } = await runFake(["status", "--watch", "2", "--json"], {
    answer: () => done({ ok: true, state: states[round++] }),
    rounds: 3,
  });
  expect(out).toBe('{"ok": true, "state": "a"}\n{"ok": true, "state": "b"}\n');
  expect(slept).toEqual([2000, 2000, 2000]);
  expect([exit, closed]).toEqual([0, 1]);
});

test("watch ends at a no in the first round, and tells a later one once", async () => {
  const first = await runFake(["status", "--watch"], { answer: () => reject("unknown_goal", "No") });
  expect([first.exit, first.slept]).toEqual([3, []]);
  let round = 0;
  const later = await runFake(["status", "--watch"], {
    answer: () => {
      round += 1;
      if (round === 2 || round === 3) throw new Fault({ code: "store_busy", message: "The store is busy" });
      return done(statusPayload([]));
    },
    rounds: 5,
  });
  expect(later.exit).toBe(0);
  expect(later.err.match(/The store is busy/g)).toHaveLength(1);
  expect(later.out.match(/# LoopX/g)).toHaveLength(1);
});

test("serve says where it listens", async () => {
  const { out, calls, exit } = await runFake([
    "serve",
    "--port",
    "0",
    "--refresh-seconds",
    "2",
    "--allow-host",
    "a,b",
    "--require-token",
  ]);
  const told = { path: null, intervalSeconds: 2, globalRegistry: false, requireToken: true, allowHosts: ["a", "b"] };
  expect(calls[0]?.request).toEqual({ host: "127.0.0.1", port: 0, ...told });
  expect([exit, out]).toEqual([0, "Serving\n"]);
});

test("version as data", async () => {
  const { out } = await runFake(["version", "--json"]);
  expect(JSON.parse(out)).toEqual({ ok: true, version: "9.8.7", machine: "node 1 test" });
  expect((await runFake(["--version"])).out).toBe("9.8.7\n");
});
