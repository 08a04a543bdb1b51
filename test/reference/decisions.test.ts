// Asks our `quota should-run` about each tree on which the reference's was recorded, and holds us to its answer.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DifferenceList, differencesOf } from "./differences.ts";
import type { Facts } from "./facts/facts.ts";
import { at, type Json, numberAt, parseJson, textAt } from "./json.ts";
import { PROGRAM } from "./program.ts";

const FOLDER = join(process.env["LOOPX_REFERENCE_CASES"] ?? "", "upstream-decisions");
/** `after`: the tree that was there before, where the answer depends on what happened in between. */
const CASES = [
  ...["12", "01", "02", "03", "04", "05", "06", "07"].map((number) => ({ number, after: null })),
  { number: "08", after: "07" },
  ...["09", "10", "13", "14", "11", "15"].map((number) => ({ number, after: null })),
];

const list = new DifferenceList("decisions");
const goal = ".codex/goals/clean/ACTIVE_GOAL_STATE.md";
let project: string;

beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), "loopx-decisions-")));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

describe("the recorded decisions", () => {
  it.each(CASES.map(({ number, after }) => ({ ...caseNamed(number), before: after === null ? null : caseNamed(after) })))(
    "$name",
    ({ name, recorded, before }) => {
      for (const { recorded: tree } of before === null ? [{ recorded }] : [before, { recorded }]) bringIn(tree);
      const ours = run(["--format", "json", ...argvOf(recorded)]);
      expect(ours.bytes).toBeLessThanOrEqual(8192);
      const theirs = tripleOf(at(recorded, "output"), numberAt(recorded, "exit_code") ?? 0);
      const found = differencesOf(theirs, tripleOf(ours.payload, ours.exit));
      expect(list.check({ case: `decisions/${name}`, step: "should-run" }, found)).toEqual({ unlisted: [], stale: [] });
      expect(existsSync(join(project, ".loopx/runtime/goals/nope"))).toBe(false);
    },
  );

  it("no row of the list of differences is out of date", () => {
    expect(list.neverMet()).toEqual([]);
  });
});

/** The files as they were, and taken in. */
function bringIn(recorded: Json): void {
  put(goal, textAt(recorded, "input", "active_state_md") ?? "");
  put(".loopx/registry.json", JSON.stringify(registryWith(at(recorded, "input", "registry_goal")), null, 2));
  expect(run(["refresh", "--all", "--json"]).exit).toBe(0);
}

function caseNamed(number: string): { readonly name: string; readonly recorded: Json } {
  const file = readdirSync(FOLDER).find((name) => name.startsWith(`${number}-`) && !name.includes(".full."));
  if (file === undefined) throw new Error(`There is no recorded decision ${number}.`);
  return { name: file.slice(0, -5), recorded: parseJson(readFileSync(join(FOLDER, file), "utf8")) };
}

function registryWith(entry: Json): object {
  const facts = { domain: "sample", repo: ".", state_file: goal, adapter: { kind: "generic", status: "connected" } };
  return { common_runtime_root: ".loopx/runtime", goals: [{ ...facts, ...(entry as object) }] };
}

function argvOf(recorded: Json): readonly string[] {
  const words = (textAt(recorded, "input", "argv") ?? "").split(" ").filter((word) => word !== "");
  return words.map((word) => word.replaceAll("__ROOT__", project));
}

function tripleOf(answer: Json, exit: number): Facts {
  const facts = {
    decision: at(answer, "decision"),
    should_run: at(answer, "should_run"),
    effective_action: at(answer, "effective_action"),
  };
  return { ends: exit === 0 ? "well" : "refused", ...(exit === 0 && facts) };
}

function put(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

function run(argv: readonly string[]): { readonly exit: number; readonly payload: Json; readonly bytes: number } {
  const { status, stdout } = spawnSync(process.execPath, [PROGRAM, ...argv], { cwd: project, encoding: "utf8" });
  return { exit: status ?? -1, payload: stdout === "" ? null : parseJson(stdout), bytes: Buffer.byteLength(stdout) };
}
