import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { GoalId } from "../../core/id.ts";
import type { MirrorOutcome, MirrorRequest } from "../../ports/run-files.ts";
import { runFiles } from "./run-index.ts";
import { runMirror } from "./run-mirror.ts";

const GOAL = "alpha" as GoalId;
const STEM = "2026-11-30T08-10-01-00-00";
let folder: string;
let root: string;
let runs: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopx-mirror-"));
  root = join(folder, "runtime");
  runs = join(root, "goals", GOAL, "runs");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function request(seq: number, more: Partial<MirrorRequest> = {}): MirrorRequest {
  const event = `alpha/${seq}`;
  return {
    goal_id: GOAL,
    stem: STEM,
    event,
    journal: "s1/1",
    record: `${JSON.stringify({ loopx_event: event, loopx_store: "s1/1" })}\n`,
    markdown: `# run ${seq}\n`,
    row: ({ json_path, markdown_path }) => JSON.stringify({ json_path, markdown_path, loopx_event: event }),
    named: null,
    attempt: "again",
    ...more,
  };
}

const write = (seq: number, more: Partial<MirrorRequest> = {}): MirrorOutcome =>
  runMirror({ runtime_root: root }).write(request(seq, more));
const index = (): string => readFileSync(join(runs, "index.jsonl"), "utf8");
const rows = (): readonly Record<string, unknown>[] =>
  index()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const names = (): readonly string[] => readdirSync(runs).sort();

describe("a recorded run", () => {
  test("leaves record, summary and row, readable by others, and makes the folder it needs", () => {
    const outcome = write(1);
    expect(outcome).toEqual({ kind: "written", json_path: join(runs, `${STEM}.json`), markdown_path: join(runs, `${STEM}.md`) });
    expect(names()).toEqual([`${STEM}.json`, `${STEM}.md`, "index.jsonl"]);
    expect(rows()).toEqual([
      { json_path: join(runs, `${STEM}.json`), markdown_path: join(runs, `${STEM}.md`), loopx_event: "alpha/1" },
    ]);
    const mask = process.umask();
    for (const name of names()) expect(statSync(join(runs, name)).mode & 0o777).toBe(0o644 & ~mask);
  });

  test("of the same second gets the next free pair; a name is free only when neither file exists (N1, A18)", () => {
    mkdirSync(runs, { recursive: true });
    writeFileSync(join(runs, `${STEM}-2.md`), "somebody's");
    writeFileSync(join(runs, `${STEM}-3.json`), "");
    for (const seq of [1, 2]) expect(write(seq).kind).toBe("written");
    expect(rows().map((row) => String(row["json_path"]).split("/").at(-1))).toEqual([`${STEM}.json`, `${STEM}-4.json`]);
    expect(readFileSync(join(runs, `${STEM}-2.md`), "utf8")).toBe("somebody's");
  });

  test("starts its row on a line of its own after a torn one (X3, A1)", () => {
    mkdirSync(runs, { recursive: true });
    writeFileSync(join(runs, "index.jsonl"), '{"generated_at": "2026', "utf8");
    write(1);
    write(2);
    const lines = index().split("\n");
    expect(lines[0]).toBe('{"generated_at": "2026');
    expect(lines.slice(1, 3).map((line) => JSON.parse(line).loopx_event)).toEqual(["alpha/1", "alpha/2"]);
    expect(lines[3]).toBe("");
  });
});

describe("an interrupted attempt", () => {
  test("is recognised by content and completed, not doubled (A33)", () => {
    mkdirSync(runs, { recursive: true });
    writeFileSync(join(runs, `${STEM}.json`), request(1).record);
    write(2);
    write(1);
    expect(names()).toEqual([`${STEM}-2.json`, `${STEM}-2.md`, `${STEM}.json`, `${STEM}.md`, "index.jsonl"]);
    expect(rows().map((row) => row["loopx_event"])).toEqual(["alpha/2", "alpha/1"]);
    expect(readFileSync(join(runs, `${STEM}.md`), "utf8")).toBe("# run 1\n");
  });

  test("with a row already there is completed under the names of the row, without another row", () => {
    write(1);
    write(2);
    rmSync(join(runs, `${STEM}-2.json`));
    rmSync(join(runs, `${STEM}-2.md`));
    const before = index();
    expect(write(2, { named: { json: `${STEM}-2.json`, markdown: `${STEM}-2.md` } }).kind).toBe("written");
    expect(index()).toBe(before);
    expect(readFileSync(join(runs, `${STEM}-2.json`), "utf8")).toBe(request(2).record);
  });

  test("never replaces a file that exists (X4)", () => {
    write(1);
    writeFileSync(join(runs, `${STEM}.md`), "edited by hand");
    write(1, { named: { json: `${STEM}.json`, markdown: `${STEM}.md` } });
    expect(readFileSync(join(runs, `${STEM}.md`), "utf8")).toBe("edited by hand");
  });

  test("what stands in a record's place is never taken for ours", () => {
    mkdirSync(join(runs, `${STEM}.json`), { recursive: true });
    writeFileSync(join(runs, `${STEM}-2.json`), "[]");
    symlinkSync(join(folder, "elsewhere"), join(runs, `${STEM}-3.json`));
    expect(write(1)).toMatchObject({ json_path: join(runs, `${STEM}-4.json`) });
    expect(existsSync(join(folder, "elsewhere"))).toBe(false);
  });
});

describe("what cannot be written is a value (X1, X2)", () => {
  test("links that leave the goals folder are not written through", () => {
    const outside = join(folder, "outside");
    mkdirSync(outside);
    mkdirSync(join(root, "goals"), { recursive: true });
    symlinkSync(outside, join(root, "goals", GOAL));
    expect(write(1)).toMatchObject({ kind: "failed", step: "folder", code: "outside_root" });
    rmSync(join(root, "goals", GOAL));
    mkdirSync(runs, { recursive: true });
    symlinkSync(join(outside, "index"), join(runs, "index.jsonl"));
    expect(write(1)).toMatchObject({ kind: "failed", step: "row" });
    expect(readdirSync(outside)).toEqual([]);
  });

  test("an index that cannot be appended to leaves the pair, and the next attempt completes it (A19)", () => {
    mkdirSync(join(runs, "index.jsonl"), { recursive: true });
    expect(write(1)).toMatchObject({ kind: "failed", step: "row", code: "EISDIR" });
    rmSync(join(runs, "index.jsonl"), { recursive: true });
    expect(write(1).kind).toBe("written");
    expect(names()).toEqual([`${STEM}.json`, `${STEM}.md`, "index.jsonl"]);
    expect(rows().length).toBe(1);
  });

  test("a file where a folder should be", () => {
    mkdirSync(join(root, "goals"), { recursive: true });
    writeFileSync(join(root, "goals", GOAL), "");
    expect(write(1)).toMatchObject({ kind: "failed", step: "folder" });
  });

  test("a name that the file system does not take", () => {
    expect(write(1, { stem: "x".repeat(300) })).toMatchObject({ kind: "failed", step: "json", code: "ENAMETOOLONG" });
    expect(names()).toEqual([]);
  });
});

test("files are looked up by name", () => {
  write(1);
  const files = runFiles({ runtime_root: root });
  expect([files.has(GOAL, `${STEM}.json`), files.has(GOAL, "other.json")]).toEqual([true, false]);
});
