import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RootFlags, resolveRoots } from "../../core/registry/resolve-roots.ts";
import { readRegistryFile } from "./registry-file.ts";
import { rootsView } from "./roots.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "loopx-roots-")));
  mkdirSync(at("home"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);

function put(name: string, text: string | Uint8Array): string {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
  return at(name);
}

function resolve(cwd: string, flags: RootFlags = {}, env: string | null = null) {
  return resolveRoots(flags, rootsView({ cwd: at(cwd), home: at("home"), env_registry: env }));
}

const withRoot = (root: unknown): string =>
  JSON.stringify({ schema_version: "0.1", common_runtime_root: root, goals: [] }, null, 2);

describe("on a real file system", () => {
  it("R2: gives one root from any folder and through any symlink", () => {
    const registry = put("p/.loopx/registry.json", withRoot("rt"));
    mkdirSync(at("p/a/b"), { recursive: true });
    mkdirSync(at("disk"));
    symlinkSync(at("p"), at("alias"));
    symlinkSync(at("p/.loopx/registry.json"), at("linked.json"));
    symlinkSync(at("disk"), at("p/rt"));
    const wanted = { registry_path: registry, project_root: at("p"), runtime_root: at("disk"), runtime_root_source: "registry" };
    const answers = [
      resolve("p"),
      resolve("p/a/b"),
      resolve("alias/a"),
      resolve(".", { registry: "linked.json" }),
      resolve("home", { registry: "../alias/.loopx/registry.json" }),
      resolve("home", {}, at("linked.json")),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ kind: "done", value: wanted });
  });

  it("R2: resolves symlinks in the part of a root that exists", () => {
    put("p/.loopx/registry.json", withRoot("link/not/yet"));
    mkdirSync(at("disk"));
    symlinkSync(at("disk"), at("p/link"));
    expect(resolve("p")).toMatchObject({ value: { runtime_root: at("disk/not/yet") } });
  });

  it("takes the default from the home folder, and a global registry from it", () => {
    put("home/.codex/loopx/registry.global.json", withRoot(null));
    mkdirSync(at("w"));
    expect(resolve("w")).toMatchObject({
      value: { registry_source: "global", runtime_root: at("home/.codex/loopx"), runtime_root_source: "default" },
    });
  });

  it("R1: from a linked git worktree, also two levels down, finds the registry of the main repository", () => {
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@localhost", ...args], { cwd: at("main"), stdio: "pipe" });
    const registry = put("main/.loopx/registry.json", withRoot("rt"));
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "start");
    git("worktree", "add", "-q", at("trees/one"));
    mkdirSync(at("trees/one/deep/er"), { recursive: true });
    expect(resolve("trees/one/deep/er")).toMatchObject({
      value: { registry_source: "search", registry_path: registry, runtime_root: at("main/rt") },
    });
  });

  it("R1: is not led astray by a .git file of another kind", () => {
    for (const [name, text] of [
      ["a", "gitdir: ../nowhere"],
      ["b", "nonsense"],
      ["c", ""],
    ] as const) {
      put(`${name}/.git`, text);
      expect(resolve(name)).toMatchObject({ kind: "bad_input", code: "registry_not_found" });
    }
    put("m/modules/x/HEAD", "");
    put("d/.git", "gitdir: ../m/modules/x");
    expect(resolve("d")).toMatchObject({ code: "registry_not_found" });
  });

  it("R3: does not pass over a registry that cannot be read", () => {
    put("p/.loopx/registry.json", withRoot("rt"));
    mkdirSync(at("p/a/.loopx/registry.json"), { recursive: true });
    expect(resolve("p/a")).toMatchObject({ kind: "bad_input", code: "file_is_folder" });
    mkdirSync(at("p/b/.loopx"), { recursive: true });
    symlinkSync(at("gone"), at("p/b/.loopx/registry.json"));
    expect(resolve("p/b")).toMatchObject({ kind: "bad_input", code: "registry_not_found" });
    put("p/c/.loopx", "a file");
    expect(resolve("p/c")).toMatchObject({ kind: "done", value: { project_root: at("p") } });
  });

  it.each([
    ['{\n  "common_runtime_root": 7\n}', "registry_runtime_root_invalid", 2, 26],
    ['{\n  "common_runtime_root": "a",\n}', "json_trailing_comma", 3, 1],
    ["\n[]", "registry_not_object", 2, 1],
    [Buffer.from([0x7b, 0x0a, 0xff]), "file_not_utf8", 2, 1],
  ])("%j: %s at %i:%i", (text, code, line, column) => {
    const path = put("p/.loopx/registry.json", text);
    expect(resolve("p")).toMatchObject({ kind: "bad_input", code, problems: [{ path, line, column, code }] });
  });

  it("V1: does not read on once the beginning of a large registry has named the root", () => {
    const goals = Array.from({ length: 2000 }, (_, index) => ({ id: `goal-${index}` }));
    const text = JSON.stringify({ common_runtime_root: "rt", goals }, null, 2);
    put("p/.loopx/registry.json", Buffer.concat([Buffer.from(text), Buffer.from([0xff])]));
    expect(resolve("p")).toMatchObject({ kind: "done", value: { runtime_root: at("p/rt") } });
    put("p/.loopx/registry.json", JSON.stringify({ goals, common_runtime_root: "late" }));
    expect(resolve("p")).toMatchObject({ kind: "done", value: { runtime_root: at("p/late") } });
    put("p/.loopx/registry.json", JSON.stringify({ note: "é".repeat(20_000), common_runtime_root: "late" }));
    expect(resolve("p")).toMatchObject({ kind: "done", value: { runtime_root: at("p/late") } });
  });
});

describe("readRegistryFile", () => {
  it("reads a byte order mark, CR LF and unknown fields", () => {
    const path = put("r.json", '\ufeff{\r\n "goals": [{"id": "a", "x": 1}]}');
    const read = readRegistryFile(path);
    if (read.kind !== "done") throw new Error(read.code);
    expect(read.value.registry.goals[0]).toMatchObject({ goal_id: "a", line: 2, entry: { x: 1 } });
    expect(read.value.document.has_bom).toBe(true);
    expect(read.value.fingerprint).toMatch(/^\d+:/);
  });

  it.each([
    ['{"goals": [', "json_unexpected_end", 1, 12],
    ["", "json_empty", 1, 1],
    ['{"goals":\n{}}', "registry_goals_not_list", 2, 1],
    [`${"[".repeat(100_000)}`, "json_too_deep", 1, 201],
    ['{"a": "\u0000"}', "file_has_nul", 1, 8],
  ])("%j is an error that names path, line and column, never an empty registry", (text, code, line, column) => {
    const path = put("r.json", text);
    expect(readRegistryFile(path)).toMatchObject({ kind: "bad_input", code, problems: [{ path, line, column }] });
  });

  it("tells a missing file from one that cannot be read", () => {
    expect(readRegistryFile(at("no.json"))).toMatchObject({
      kind: "bad_input",
      code: "registry_not_found",
      problems: [{ path: at("no.json") }],
    });
    mkdirSync(at("d.json"));
    expect(readRegistryFile(at("d.json"))).toMatchObject({ kind: "bad_input", code: "file_is_folder" });
  });
});
