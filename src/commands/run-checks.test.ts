import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fileBlobs } from "../adapters/files/blobs.ts";
import { sha256 } from "../adapters/files/digest.ts";
import { fileDigests } from "../adapters/files/file-digests.ts";
import { packageFolders } from "../adapters/files/package-folders.ts";
import { treeHasher } from "../adapters/files/tree-hash.ts";
import { fileVerdicts } from "../adapters/files/verdict-cache.ts";
import { systemCommands } from "../adapters/system/command-runner.ts";
import { systemDigest } from "../adapters/system/system.ts";
import { systemTools } from "../adapters/system/tools.ts";
import type { GoalId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import type { Check } from "../core/verify/acceptance.ts";
import { type CheckPorts, type ChecksRequest, type ChecksRun, type EvidenceRecord, runChecks } from "./run-checks.ts";

const GOAL = "alpha" as GoalId;
const NOW = "2026-11-30T08:00:00.000Z" as Instant;
const LATER = (): number => Date.now() + 10_000;

let base: string;
let folder: string;
let root: string;
let ports: CheckPorts;

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "loopx-checks-")));
  folder = join(base, "work");
  root = join(folder, ".runtime");
  put("input", "1");
  put("second", "1");
  put("other", "1");
  put(
    "tool",
    `#!${process.execPath}\nrequire("node:fs").appendFileSync(process.env.COUNT, "x"); console.log(process.argv.slice(2).join(" "));\n`,
  );
  chmodSync(join(folder, "tool"), 0o755);
  const clock = { now: () => NOW };
  ports = {
    runner: systemCommands,
    tree: treeHasher({ digests: fileDigests({ runtime_root: root }), env: process.env, now: LATER }),
    tools: systemTools(LATER),
    blobs: fileBlobs({ runtime_root: root }),
    verdicts: fileVerdicts({ runtime_root: root, clock }),
    packages: packageFolders({ runtime_root: root, clock }),
    clock,
    digest: systemDigest,
  };
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function check(more: Partial<Check> = {}): Check {
  return {
    label: "Check",
    argv: ["./tool", "a"],
    timeout_seconds: 5,
    inputs: ["input", "second"],
    capability: "default",
    ...more,
  };
}

/** A check that runs a program of Node's on nothing that can be cached. */
function node(source: string, more: Partial<Check> = {}): Check {
  return check({ argv: [process.execPath, "-e", source], inputs: null, ...more });
}

type Asked = Partial<ChecksRequest> & { readonly ports?: Partial<CheckPorts> };

async function run(checks: readonly Check[], { ports: own, ...more }: Asked = {}): Promise<ChecksRun> {
  const env = { PATH: process.env["PATH"], COUNT: join(base, "count") };
  const request: ChecksRequest = { goal_id: GOAL, folder, exclude: [root], checks, env, cache: "use", ...more };
  const reply = await runChecks({ ...ports, ...own }, request);
  if (reply.kind !== "done") throw new Error(`${reply.code}: ${reply.message}`);
  return reply.value;
}

async function one(subject: Check, asked: Asked = {}): Promise<EvidenceRecord> {
  const { records } = await run([subject], asked);
  const [record] = records;
  if (record === undefined || records.length > 1) throw new Error("not one record");
  return record;
}

function timesRun(): number {
  return existsSync(join(base, "count")) ? readFileSync(join(base, "count"), "utf8").length : 0;
}

async function outputOf({ output }: EvidenceRecord, goal: GoalId = GOAL): Promise<string | null> {
  const read = output === null ? null : await ports.blobs.get(goal, output.sha256);
  return read?.kind === "blob" ? Buffer.from(read.bytes).toString() : null;
}

test("a check that passes is evidence with its output, tree and environment", async () => {
  const { records, tree_hash, tree_moved } = await run([check()]);
  expect(records).toEqual([
    {
      label: "Check",
      argv: ["./tool", "a"],
      exit_code: 0,
      outcome: "passed",
      duration_ms: expect.any(Number),
      tree_hash,
      environment: expect.stringMatching(/^[0-9a-f]{64}$/),
      output: { sha256: sha256("a\n"), bytes: 2 },
      cached: false,
      at: NOW,
      note: null,
    },
  ]);
  expect(tree_hash).toMatch(/^[0-9a-f]{64}$/);
  expect(tree_moved).toBe(false);
  expect(await outputOf(records[0] as EvidenceRecord)).toBe("a\n");
});

test("R1: all run in order, and each has its own end", async () => {
  const log = join(base, "log");
  const said = (text: string, then: string): string =>
    `require("node:fs").appendFileSync(${JSON.stringify(log)}, "${text}"); ${then}`;
  const { records } = await run([
    node(said("1", "process.exitCode = 3")),
    node(said("2", 'process.kill(process.pid, "SIGKILL")')),
    check({ argv: ["loopx-no-such-program"] }),
    node("setInterval(() => {}, 1000)", { timeout_seconds: 1 }),
    node(said("3", "")),
  ]);
  expect(readFileSync(log, "utf8")).toBe("123");
  expect(records).toMatchObject([
    { outcome: "failed", exit_code: 3, note: null },
    { outcome: "failed", exit_code: null, note: "ended by SIGKILL" },
    {
      outcome: "not_started",
      exit_code: null,
      output: null,
      duration_ms: 0,
      note: expect.stringContaining("loopx-no-such-program"),
    },
    { outcome: "timed_out", exit_code: null, note: "took longer than 1 s", output: { bytes: 0 } },
    { outcome: "passed", exit_code: 0 },
  ]);
});

describe("R2", () => {
  test("a check that changes the tree is told", async () => {
    const source = 'require("node:fs").appendFileSync("other", "2")';
    const { tree_moved, tree_hash, records } = await run([node(source)]);
    expect(tree_moved).toBe(true);
    expect(records[0]?.tree_hash).toBe(tree_hash);
  });

  test("what the caller leaves out, and what no check depends on, does not count", async () => {
    const source = 'require("node:fs").appendFileSync("other", "2")';
    expect(await run([node(source)], { exclude: [root, join(folder, "other")] })).toMatchObject({ tree_moved: false });
    expect(await run([node(source, { inputs: ["input"] })])).toMatchObject({ tree_moved: false });
  });

  test("a check that deletes the folder is told, and its output is kept elsewhere", async () => {
    root = join(base, "root");
    const blobs = fileBlobs({ runtime_root: root });
    const source = 'require("node:fs").rmSync(process.cwd(), { recursive: true }); console.log("gone")';
    const { tree_moved, records } = await run([node(source), check()], { ports: { blobs } });
    expect(tree_moved).toBe(true);
    expect(records).toMatchObject([
      { outcome: "passed", output: { bytes: 5 } },
      { outcome: "not_started", output: null },
    ]);
  });
});

describe("refused", () => {
  const refused = (more: Partial<ChecksRequest>, own: Partial<CheckPorts> = {}): Promise<unknown> => {
    const request = { goal_id: GOAL, folder, exclude: [root], checks: [check()], env: {}, cache: "use", ...more } as const;
    return runChecks({ ...ports, ...own }, request);
  };

  test("a tree without bounds, with the way out", async () => {
    const tree = treeHasher({ digests: fileDigests({ runtime_root: root }), env: process.env, max_files: 2 });
    expect(await refused({ checks: [check({ inputs: null })] }, { tree })).toMatchObject({
      kind: "refusal",
      code: "tree_too_large",
      message: expect.stringContaining("declare inputs"),
      details: { max_files: 2 },
    });
    expect(await refused({}, { tree })).toMatchObject({ kind: "done" });
  });

  test("inputs that stand for nothing, and a folder that is gone", async () => {
    const checks = [check({ inputs: ["input", "inptu"] })];
    expect(await refused({ checks })).toMatchObject({ code: "inputs_match_nothing", details: { inputs: ["inptu"] } });
    expect(await refused({ folder: join(folder, "gone") })).toMatchObject({ code: "work_folder_missing" });
  });

  test("a tree that cannot be read", async () => {
    const problem = { code: "file_not_permitted", message: "x may not be opened", path: "x" };
    const tree = { hash: async () => ({ kind: "unreadable", problem }) as const };
    expect(await refused({}, { tree })).toMatchObject({
      code: "tree_unreadable",
      message: problem.message,
      details: { path: "x" },
    });
    expect(timesRun()).toBe(0);
  });
});

describe("a verdict is used again", () => {
  test("while arguments, inputs, environment, tool and capability are the same", async () => {
    const first = await one(check());
    put("other", "2");
    const second = await one(check());
    expect(timesRun()).toBe(1);
    expect(second).toEqual({ ...first, cached: true });
  });

  const step = (change: () => void) => (): Partial<Check> => {
    change();
    return {};
  };

  test.each<[string, () => Partial<Check> & { readonly env?: Record<string, string> }]>([
    ["an argument", () => ({ argv: ["./tool", "b"] })],
    ["the capability", () => ({ capability: "other" })],
    ["an input less", () => ({ inputs: ["input"] })],
    ["a variable", () => ({ env: { PATH: process.env["PATH"] ?? "", COUNT: join(base, "count"), MORE: "1" } })],
    ["a byte of an input", step(() => put("input", "2"))],
    ["the mode of an input", step(() => chmodSync(join(folder, "input"), 0o755))],
    ["the tool", step(() => appendFileSync(join(folder, "tool"), "// newer\n"))],
  ])("but not when %s changed", async (_, change) => {
    await one(check());
    const { env, ...more } = change();
    expect(await one(check(more), env === undefined ? {} : { env })).toMatchObject({ outcome: "passed", cached: false });
    expect(timesRun()).toBe(2);
  });

  test("but not where inputs are not declared, the tool is not known, or the caller says so", async () => {
    for (const subject of [check({ inputs: null }), check({ argv: ["loopx-no-such-program"] })]) {
      await one(subject);
      expect(await one(subject)).toMatchObject({ cached: false });
    }
    await one(check());
    const before = timesRun();
    expect(await one(check(), { cache: "ignore" })).toMatchObject({ cached: false });
    expect(timesRun()).toBe(before + 1);
  });

  test("R3: but not when it failed", async () => {
    put("tool", `#!${process.execPath}\nprocess.exitCode = 1\n`);
    await one(check());
    expect(await one(check())).toMatchObject({ outcome: "failed", cached: false });
    expect(ports.verdicts.stats().entries).toBe(0);
  });

  test("R3: but not when its inputs changed while it ran", async () => {
    put("tool", `#!${process.execPath}\nrequire("node:fs").appendFileSync("input", "x")\n`);
    expect(await one(check())).toMatchObject({ outcome: "passed" });
    expect(ports.verdicts.stats().entries).toBe(0);
  });

  test("but not when its entry or its output is damaged", async () => {
    const { output } = await one(check());
    const blob = join(root, "goals", GOAL, "evidence", `${output?.sha256}.gz`);
    writeFileSync(blob, "damage");
    expect(await one(check())).toMatchObject({ cached: false });
    const entries = join(root, "cache/verifier/default");
    writeFileSync(join(entries, String(readdirSync(entries)[0])), "{");
    expect(await one(check())).toMatchObject({ cached: false });
    expect(await one(check())).toMatchObject({ cached: true });
  });

  test("by another goal, which gets the output as its own", async () => {
    await one(check());
    const other = "beta" as GoalId;
    const record = await one(check(), { goal_id: other });
    expect(record).toMatchObject({ cached: true });
    expect(await outputOf(record, other)).toBe("a\n");
  });
});

test("R4: a check finds the package caches of its capability", async () => {
  const source = 'process.stdout.write(process.env.npm_config_cache + " " + process.env.PWD)';
  const record = await one(node(source, { capability: "gpu" }));
  expect(await outputOf(record)).toBe(`${root}/cache/packages/gpu/npm undefined`);
});

test("an output that cannot be kept is told, and the check is not cached", async () => {
  mkdirSync(join(root, "goals", GOAL), { recursive: true });
  symlinkSync(base, join(root, "goals", GOAL, "evidence"));
  expect(await one(check())).toMatchObject({ outcome: "passed", output: null, note: expect.stringContaining("was not kept") });
  expect(ports.verdicts.stats().entries).toBe(0);
});

test("of a long output head and tail are kept", async () => {
  const record = await one(node('process.stdout.write("begin" + ".".repeat(3000000) + "end")'));
  expect(record.output?.bytes).toBeLessThanOrEqual(256 * 1024);
  expect(await outputOf(record)).toMatch(/^begin\.+\n\[loopx left out \d+ bytes here\]\n\.+end$/);
});
