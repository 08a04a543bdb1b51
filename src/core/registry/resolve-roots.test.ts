import { describe, expect, it } from "vitest";
import { done, type Reply } from "../result.ts";
import { declaredRoot } from "./declared-root.ts";
import { locateGoal, projectRootOf } from "./locate.ts";
import { expandHome, folderOf, parentPath, resolvePath } from "./path-text.ts";
import type { DeclaredGoal } from "./registry.ts";
import { type RootFlags, type Roots, type RootsView, resolveRoots } from "./resolve-roots.ts";

interface World {
  readonly cwd?: string;
  readonly env?: string;
  /** Path of a registry to its `common_runtime_root`. */
  readonly registries?: Readonly<Record<string, unknown>>;
  readonly folders?: readonly string[];
  readonly others?: readonly string[];
  /** Symlinks of whole paths or of leading folders. */
  readonly links?: Readonly<Record<string, string>>;
  readonly main?: string;
}

function viewOf({ cwd = "/p/sub", env, registries = {}, folders = [], others = [], links = {}, main }: World): RootsView {
  const real = (path: string): string => {
    const link = Object.entries(links).find(([from]) => path === from || path.startsWith(`${from}/`));
    return link === undefined ? path : real(link[1] + path.slice(link[0].length));
  };
  return {
    cwd,
    home: "/home/u",
    env_registry: env ?? null,
    look: (path) => {
      if (real(path) in registries) return "file";
      if (folders.includes(path)) return "folder";
      return others.includes(path) ? "other" : "missing";
    },
    realPath: real,
    mainRepositoryOf: () => main ?? null,
    readRuntimeRoot: (path) => done(declaredRoot(registries[path])),
  };
}

function resolve(world: World, flags: RootFlags = {}): Reply<Roots> {
  return resolveRoots(flags, viewOf(world));
}

const PROJECT = "/p/.loopx/registry.json";
const GLOBAL = "/home/u/.codex/loopx/registry.global.json";
const all = {
  [PROJECT]: "rt",
  [GLOBAL]: "/home/u/.codex/loopx",
  "/e/r.json": null,
  "/f/r.json": "f-rt",
  "/rt2/registry.global.json": "/rt2",
};

describe("R1: which registry", () => {
  it.each<[string, World, RootFlags, string, string]>([
    ["a flag beats all", { env: "/e/r.json", registries: all }, { registry: "/f/r.json" }, "flag", "/f/r.json"],
    ["a flag is seen from the current folder", { cwd: "/f/x", registries: all }, { registry: "../r.json" }, "flag", "/f/r.json"],
    ["a flag with ~", { registries: all }, { registry: "~/.codex/loopx/registry.global.json" }, "flag", GLOBAL],
    ["the environment beats the search", { env: "/e/r.json", registries: all }, {}, "env", "/e/r.json"],
    ["the environment with ~", { env: "~/.codex/loopx/registry.global.json", registries: all }, {}, "env", GLOBAL],
    ["an empty environment is none", { env: "", registries: all }, {}, "search", PROJECT],
    ["the current folder", { cwd: "/p", registries: all }, {}, "search", PROJECT],
    ["a folder far below", { cwd: "/p/a/b/c/d", registries: all }, {}, "search", PROJECT],
    [
      "the nearest of two",
      { cwd: "/p/a/b", registries: { ...all, "/p/a/.loopx/registry.json": null } },
      {},
      "search",
      "/p/a/.loopx/registry.json",
    ],
    ["the root folder", { cwd: "/x/y", registries: { "/.loopx/registry.json": null } }, {}, "search", "/.loopx/registry.json"],
    [
      "a linked worktree's own registry",
      { cwd: "/p", registries: { ...all, "/m/.loopx/registry.json": null }, main: "/m" },
      {},
      "search",
      PROJECT,
    ],
    [
      "the main repository of a linked worktree",
      { cwd: "/w/a/b", registries: { ...all, "/m/.loopx/registry.json": null }, main: "/m" },
      {},
      "search",
      "/m/.loopx/registry.json",
    ],
    ["the global one when the main repository has none", { cwd: "/w", registries: all, main: "/m" }, {}, "global", GLOBAL],
    ["the global one", { cwd: "/w", registries: all }, {}, "global", GLOBAL],
    [
      "the global one of the runtime root given",
      { cwd: "/w", registries: all },
      { runtime_root: "/rt2" },
      "global",
      "/rt2/registry.global.json",
    ],
    ["a runtime root given does not stop the search", { registries: all }, { runtime_root: "/rt2" }, "search", PROJECT],
  ])("%s", (_, world, flags, source, path) => {
    expect(resolve(world, flags)).toMatchObject({ kind: "done", value: { registry_source: source, registry_path: path } });
  });

  it.each<[string, World, RootFlags, string]>([
    ["a flag that names nothing", { registries: all }, { registry: "nope.json" }, "registry_not_found"],
    ["an environment that names nothing", { env: "/nope.json", registries: all }, {}, "registry_not_found"],
    ["no registry anywhere", { cwd: "/w" }, {}, "registry_not_found"],
    ["a flag that names a folder", { registries: all, folders: ["/p"] }, { registry: "/p" }, "registry_is_folder"],
    ["a flag that is empty", { registries: all }, { registry: "" }, "path_not_usable"],
    ["a flag with U+0000", { registries: all }, { registry: "a\u0000" }, "path_not_usable"],
    ["another user's home", { registries: all }, { registry: "~root/r.json" }, "path_of_other_user"],
  ])("%s is an error", (_, world, flags, code) => {
    expect(resolve(world, flags)).toMatchObject({ kind: "bad_input", code });
  });

  it("has nothing to offer for a folder without a registry, nor for a runtime root that is no path", () => {
    expect(resolve({ folders: ["/q"] }, { registry: "/q" })).not.toHaveProperty("fix");
    expect(resolve({ cwd: "/w" }, { runtime_root: "~other" })).toMatchObject({ kind: "bad_input", code: "path_of_other_user" });
  });

  it("offers the registry inside a folder that was named", () => {
    expect(resolve({ registries: all, folders: ["/p"] }, { registry: "/p" })).toMatchObject({
      fix: expect.stringContaining(PROJECT),
    });
  });

  it("R3: does not pass over what it may not look at", () => {
    expect(resolve({ cwd: "/p/sub", registries: all, others: ["/p/sub/.loopx/registry.json"] })).toMatchObject({
      value: { registry_path: "/p/sub/.loopx/registry.json" },
    });
  });
});

describe("R2: which runtime root", () => {
  const at = (root: unknown, path = PROJECT): World => ({ registries: { [path]: root } });
  it.each<[string, World, RootFlags, string, string]>([
    ["a flag", at("rt"), { runtime_root: "/abs" }, "flag", "/abs"],
    ["a flag with ~", at("rt"), { runtime_root: "~/x" }, "flag", "/home/u/x"],
    ["a relative flag", at("rt"), { runtime_root: "other" }, "flag", "/p/other"],
    ["an empty flag is none", at("rt"), { runtime_root: "" }, "registry", "/p/rt"],
    ["an absolute value", at("/data/rt"), {}, "registry", "/data/rt"],
    ["a relative value", at("rt"), {}, "registry", "/p/rt"],
    ["a value with dots", at("./a/../../q//rt/"), {}, "registry", "/q/rt"],
    ["a value with ~", at("~/rt"), {}, "registry", "/home/u/rt"],
    ["~ alone", at("~"), {}, "registry", "/home/u"],
    ["null", at(null), {}, "default", "/home/u/.codex/loopx"],
    ["missing", at(undefined), {}, "default", "/home/u/.codex/loopx"],
    ["empty", at(""), {}, "default", "/home/u/.codex/loopx"],
    ["a registry in a folder of another name", at("rt", "/o/r.json"), { registry: "/o/r.json" }, "registry", "/o/rt"],
    [
      "a relative flag with the global registry",
      { cwd: "/w", registries: { "/w/g/registry.global.json": "/z" } },
      { runtime_root: "g" },
      "flag",
      "/w/g",
    ],
    [
      "the global registry's value",
      { cwd: "/w", registries: { [GLOBAL]: "~/.codex/loopx" } },
      {},
      "registry",
      "/home/u/.codex/loopx",
    ],
  ])("%s", (_, world, flags, source, path) => {
    expect(resolve(world, flags)).toMatchObject({ kind: "done", value: { runtime_root_source: source, runtime_root: path } });
  });

  it.each([7, true, [], {}, "a\u0000"])("the value %j is an error that names the registry", (value) => {
    expect(resolve(at(value))).toMatchObject({
      kind: "bad_input",
      code: "registry_runtime_root_invalid",
      problems: [{ path: PROJECT }],
    });
  });

  it("names the place of a value that is an error, where it is known", () => {
    const place = { path: PROJECT, line: 3, column: 4, code: "registry_runtime_root_invalid", message: "m" };
    const view: RootsView = { ...viewOf(at(7)), readRuntimeRoot: () => done({ kind: "invalid", message: "m", at: place }) };
    expect(resolveRoots({}, view)).toMatchObject({ problems: [place] });
  });

  it.each([{ runtime_root: "~other/rt" }, {}])("is never another user's home, given as %j", (flags) => {
    expect(resolve(at("~other/rt"), flags)).toMatchObject({ kind: "bad_input", code: "path_of_other_user" });
  });

  it("is not asked of the registry when a flag gives it", () => {
    expect(resolve(at(7), { runtime_root: "/abs" })).toMatchObject({ kind: "done" });
  });

  it("is the same from every folder and by every spelling", () => {
    const world = { registries: { [PROJECT]: "rt" }, links: { "/link": "/p/.loopx", "/alias": "/p", "/p/rt": "/disk/rt" } };
    const spellings: readonly (readonly [string, RootFlags])[] = [
      ["/p", {}],
      ["/p/a/b", {}],
      ["/alias", {}],
      ["/", { registry: "p/.loopx/registry.json" }],
      ["/", { registry: "/link/registry.json" }],
      ["/home/u", { registry: "../../alias/.loopx/registry.json" }],
    ];
    for (const [cwd, flags] of spellings) {
      expect(resolve({ ...world, cwd }, flags)).toMatchObject({
        value: { registry_path: PROJECT, project_root: "/p", runtime_root: "/disk/rt" },
      });
    }
  });

  it("passes on why a registry cannot be read", () => {
    const view: RootsView = {
      ...viewOf(at("rt")),
      readRuntimeRoot: () => ({ kind: "bad_input", code: "json_empty", message: "", problems: [] }),
    };
    expect(resolveRoots({}, view)).toMatchObject({ code: "json_empty" });
  });
});

describe("L1: where a goal's files are", () => {
  const goal = (fields: Partial<DeclaredGoal>) =>
    ({ repo: null, state_file: null, source_registry: null, ...fields }) as DeclaredGoal;
  it.each<[Partial<DeclaredGoal>, string, string | null, string]>([
    [{ repo: "/r", state_file: "s.md" }, "/r", "/r/s.md", PROJECT],
    [{ repo: "sub", state_file: "../s.md" }, "/p/sub", "/p/s.md", PROJECT],
    [{ repo: null, state_file: "s.md" }, "/p", "/p/s.md", PROJECT],
    [{ repo: "~/r", state_file: "/abs/s.md" }, "/home/u/r", "/abs/s.md", PROJECT],
    [{ repo: "." }, "/p", null, PROJECT],
    [{ repo: ".", source_registry: "../../q/.loopx/registry.json", state_file: "s" }, "/q", "/q/s", "/q/.loopx/registry.json"],
    [{ repo: "~other", state_file: "s" }, "/p/~other", "/p/~other/s", PROJECT],
  ])("%j", (fields, repo, state_file, registry_path) => {
    expect(locateGoal(goal(fields), { registryPath: PROJECT, home: "/home/u" })).toEqual({ repo, state_file, registry_path });
  });

  it.each([
    ["/registry.json", "/"],
    ["/.loopx/registry.json", "/"],
    ["/a/.loopx/x.json", "/a"],
    ["/a/b/registry.json", "/a/b"],
  ])("%s is of the project %s", (path, root) => expect(projectRootOf(path)).toBe(root));
});

describe("paths as text", () => {
  it.each([
    ["/a", "b", "/a/b"],
    ["/a", "/b/", "/b"],
    ["/a", "../../..", "/"],
    ["/", "x//y/./z", "/x/y/z"],
  ])("%s and %s is %s", (base, path, wanted) => expect(resolvePath(base, path)).toBe(wanted));

  it("goes up to the root and stops", () => {
    expect([parentPath("/a/b"), parentPath("/a"), parentPath("/")]).toEqual(["/a", "/", null]);
    expect([folderOf("/a/b"), folderOf("/")]).toEqual(["/a", "/"]);
  });

  it("expands only the own home", () => {
    expect(["~", "~/a", "a~", "~b"].map((path) => expandHome(path, "/h"))).toEqual(["/h", "/h/a", "a~", null]);
  });
});
