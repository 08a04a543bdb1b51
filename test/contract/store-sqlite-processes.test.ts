/** Many processes on one store, some of them killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../../src/adapters/sqlite/store.ts";
import { goalId, nextAction, OPENED, record, request } from "./store-data.ts";

const G = goalId("g");
// Inside the project, so that the child finds the engine's package; a bundle, as the program that people install is one.
const BUNDLES = join(import.meta.dirname, "../../node_modules/.cache");
let bundle = "";
let root = "";

beforeAll(async () => {
  mkdirSync(BUNDLES, { recursive: true });
  bundle = join(mkdtempSync(join(BUNDLES, "store-child-")), "child.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "store-child.ts")],
    outfile: bundle,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
  });
});

afterAll(() => {
  rmSync(join(bundle, ".."), { recursive: true, force: true });
});

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopx-processes-"));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function start(job: string, begin: number, name: string): ChildProcess {
  return spawn(process.execPath, [bundle, job, root, String(begin), name], { stdio: ["ignore", "pipe", "pipe"] });
}

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
}

function ended(child: ChildProcess): Promise<Ended> {
  let out = "";
  let err = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal, out, err })));
}

function firstOutput(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => child.stdout?.once("data", () => resolve()));
}

describe("processes", () => {
  it("F2 all open a new root at once and lose nothing", { timeout: 90_000 }, async () => {
    const begin = Date.now() + 4000;
    const names = Array.from({ length: 60 }, (_, index) => `goal-${String(index).padStart(2, "0")}`);
    const all = await Promise.all(names.map((name) => ended(start("open", begin, name))));
    expect(all.filter(({ code, err }) => code !== 0 || err !== "")).toEqual([]);
    expect(readdirSync(root)).toEqual(["loopx.db"]);
    const store = await openStore({ runtime_root: root });
    expect((await store.heads({ after: null, limit: 99 })).map((head) => head.goal_id)).toEqual(names);
    expect(await store.integrityProblems()).toEqual([]);
    await store.close();
  });

  it("K2 leave a whole store behind when one is killed while it holds it", { timeout: 30_000 }, async () => {
    const store = await openStore({ runtime_root: root });
    await record(store, G, [OPENED]);
    const child = start("hang", 0, "g");
    const end = ended(child);
    await firstOutput(child);
    const waiting = record(store, G, [nextAction("after")]);
    child.kill("SIGKILL");
    expect((await end).signal).toBe("SIGKILL");
    await waiting;
    expect((await store.load(request(G))).head?.seq).toBe(2);
    expect(await store.integrityProblems()).toEqual([]);
    await store.close();
  });

  it("K3 keep every acknowledged write when they are killed in the midst of writing", { timeout: 60_000 }, async () => {
    const store = await openStore({ runtime_root: root });
    await record(store, G, [OPENED]);
    for (let round = 0; round < 5; round += 1) {
      const child = start("forever", 0, "g");
      const end = ended(child);
      await firstOutput(child);
      setTimeout(() => child.kill("SIGKILL"), 20 + round * 7);
      const { signal, out } = await end;
      expect(signal).toBe("SIGKILL");
      const acknowledged = Number(out.trim().split("\n").at(-1));
      expect((await store.load(request(G))).head?.seq).toBeGreaterThanOrEqual(acknowledged);
      expect(await store.integrityProblems()).toEqual([]);
    }
    await store.close();
  });

  it("S1 take turns: none of eight waits long for the others", { timeout: 60_000 }, async () => {
    const store = await openStore({ runtime_root: root });
    await record(store, G, [OPENED]);
    const begin = Date.now() + 1500;
    const all = await Promise.all(Array.from({ length: 8 }, (_, index) => ended(start("share", begin, `w${index}`))));
    expect(all.filter(({ code }) => code !== 0)).toEqual([]);
    expect((await store.load(request(G))).head?.seq).toBe(321);
    expect(Math.max(...all.map(({ out }) => Number(out)))).toBeLessThan(3000);
    await store.close();
  });
});
