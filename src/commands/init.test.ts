import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { editableFiles } from "../adapters/files/editable-files.ts";
import { Fault } from "../errors.ts";
import type { EditableFiles } from "../ports/files.ts";
import { type InitAnswer, initProject } from "./init.ts";
import { status } from "./status.ts";
import { codeFrom, type SampleGround, type SampleOptions, sampleGround, valueFrom } from "./workspace.sample.ts";

const ASKED = { objective: "Ship the importer", goalId: "importer", project: null, dryRun: false };
const STATE = ".codex/goals/importer/ACTIVE_GOAL_STATE.md";

let grounds: SampleGround[];
let ground: SampleGround;

beforeEach(() => {
  ground = sampleGround();
  grounds = [ground];
});
afterEach(async () => {
  for (const each of grounds) await each.remove();
});

const at = (...parts: readonly string[]): string => join(ground.folder, ...parts);
const text = (...parts: readonly string[]): string => readFileSync(at(...parts), "utf8");

function again(options: SampleOptions = {}): SampleGround {
  const other = ground.again(options);
  grounds.push(other);
  return other;
}

describe("a new project", () => {
  test("has a registry with the goal, a state file and a journal", async () => {
    const answer = await valueFrom(initProject(ground, ASKED));
    expect(answer).toMatchObject({ ok: true, goal_id: "importer", changed: true, dry_run: false, state_action: "created" });
    expect(answer.created).toEqual({
      registry: at(".loopx/registry.json"),
      goal: "importer",
      state_file: at(STATE),
      gitignore: at(".gitignore"),
    });
    expect(text(".gitignore")).toBe("/.loopx/runtime/\n");
    const registry = JSON.parse(text(".loopx/registry.json"));
    expect(registry).toMatchObject({ schema_version: "0.1", common_runtime_root: ".loopx/runtime" });
    expect(registry.goals).toMatchObject([
      { id: "importer", repo: ".", state_file: STATE, adapter: { kind: "generic_project_goal_v0", status: "connected" } },
    ]);
    expect(text(STATE)).toContain("\nShip the importer\n");
    const workspace = await again().workspace();
    const { head } = await workspace.store.load({ goal_id: answer.goal_id as never, todos: "none", base: "text" });
    expect(head?.lifecycle.kind).toBe("active");
    const shown = await valueFrom(
      status(workspace, {
        goalId: null,
        agentId: null,
        all: true,
        fields: [],
        cacheTtlSeconds: null,
        clearCache: false,
        limit: null,
        cursor: null,
      }),
    );
    expect(shown.goals).toMatchObject([{ goal_id: "importer", problems: [] }]);
  });

  test("takes its goal's id from the folder's name, made safe", async () => {
    mkdirSync(at("My project (2)"));
    const here = again({ cwd: at("My project (2)") });
    expect((await valueFrom(initProject(here, { ...ASKED, goalId: null }))).goal_id).toBe("My-project-2");
  });

  test("asks for --goal-id where the folder's name gives none", async () => {
    for (const name of ["con", "---", "(((", "x".repeat(200)]) {
      mkdirSync(at(name));
      expect(await codeFrom(initProject(again({ cwd: at(name) }), { ...ASKED, goalId: null }))).toBe("goal_id_missing");
      expect(readdirSync(at(name))).toEqual([]);
    }
  });

  test("rejects what is no goal, and writes nothing", async () => {
    for (const goalId of ["../evil", "CON", "g.", " g", "a/b", "", "a\u0000b"]) {
      expect(await codeFrom(initProject(ground, { ...ASKED, goalId }))).toMatch(/^goal_id_/);
    }
    expect(await codeFrom(initProject(ground, { ...ASKED, objective: " \n" }))).toBe("objective_empty");
    expect(await codeFrom(initProject(ground, { ...ASKED, project: "nowhere" }))).toBe("project_not_folder");
    expect(readdirSync(ground.folder)).toEqual([]);
  });

  test("shows what it would make with dryRun, and makes nothing", async () => {
    mkdirSync(at(".git"));
    const shown = await valueFrom(initProject(ground, { ...ASKED, dryRun: true }));
    expect(shown).toMatchObject({ changed: true, dry_run: true });
    expect(readdirSync(ground.folder)).toEqual([".git"]);
    const made = await valueFrom(initProject(ground, ASKED));
    expect({ ...made, dry_run: true }).toEqual(shown);
    const before = text(".loopx/registry.json");
    expect((await valueFrom(initProject(again(), { ...ASKED, goalId: "other", dryRun: true }))).created.goal).toBe("other");
    expect(text(".loopx/registry.json")).toBe(before);
  });

  test("a state file that is there is adopted (A3)", async () => {
    mkdirSync(at(".codex/goals/importer"), { recursive: true });
    writeFileSync(at(STATE), "# mine\r\n\r\n## Agent Todo\r\n\r\n- [ ] one\r\n");
    const answer = await valueFrom(initProject(ground, ASKED));
    expect(answer).toMatchObject({ state_action: "adopted", created: { state_file: false } });
    expect(text(STATE)).toBe("# mine\r\n\r\n## Agent Todo\r\n\r\n- [ ] one\r\n");
  });

  test("is made at --registry and --runtime-root where they are given", async () => {
    const here = again({ flags: { registry: "deep/.loopx/registry.json", runtime_root: "../data" } });
    const answer = await valueFrom(initProject(here, ASKED));
    expect(answer).toMatchObject({
      registry: at("deep/.loopx/registry.json"),
      runtime_root: at("data"),
      state_file: at("deep", STATE),
    });
    expect(JSON.parse(text("deep/.loopx/registry.json")).common_runtime_root).toBe("../data");
  });

  test("nothing is written through a link that leads out of it", async () => {
    mkdirSync(at("elsewhere"));
    mkdirSync(at("project"));
    symlinkSync(at("elsewhere"), at("project/.codex"));
    expect(await codeFrom(initProject(again({ cwd: at("project") }), ASKED))).toBe("state_file_outside");
    mkdirSync(at("second"));
    symlinkSync(at("elsewhere"), at("second/.loopx"));
    expect(await codeFrom(initProject(again({ cwd: at("second") }), ASKED))).toBe("registry_outside");
    expect(readdirSync(at("elsewhere"))).toEqual([]);
  });

  test("a goal id that another project has on the same runtime root is refused before anything is written", async () => {
    mkdirSync(at("a"));
    mkdirSync(at("b"));
    const flags = { runtime_root: at("shared") };
    await valueFrom(initProject(again({ cwd: at("a"), flags }), ASKED));
    expect(await codeFrom(initProject(again({ cwd: at("b"), flags }), ASKED))).toBe("goal_belongs_to");
    expect(readdirSync(at("b"))).toEqual([]);
  });
});

describe("a second run (I2)", () => {
  test("changes nothing and says so, from any folder of the project", async () => {
    mkdirSync(at(".git"));
    await valueFrom(initProject(ground, ASKED));
    mkdirSync(at("src/deep"), { recursive: true });
    const files = [".loopx/registry.json", STATE, ".gitignore"];
    const before = files.map((file) => [text(file), statSync(at(file), { bigint: true }).mtimeNs]);
    for (const cwd of [ground.folder, at("src/deep")]) {
      const answer = await valueFrom(initProject(again({ cwd }), { ...ASKED, objective: "Something else" }));
      expect(answer).toMatchObject({ changed: false, state_action: "kept" });
      expect(answer.created).toEqual({ registry: false, goal: false, state_file: false, gitignore: false });
    }
    expect(files.map((file) => [text(file), statSync(at(file), { bigint: true }).mtimeNs])).toEqual(before);
    expect(existsSync(at("src/deep/.loopx"))).toBe(false);
  });

  test("with another id adds that goal to the project", async () => {
    await valueFrom(initProject(ground, ASKED));
    const answer = await valueFrom(initProject(again(), { ...ASKED, goalId: "second" }));
    expect(answer.created).toMatchObject({ registry: false, goal: "second" });
    expect(JSON.parse(text(".loopx/registry.json")).goals.map((goal: { id: string }) => goal.id)).toEqual(["importer", "second"]);
  });

  test("--project makes a project of its own inside another one (I3)", async () => {
    await valueFrom(initProject(ground, ASKED));
    mkdirSync(at("part"));
    expect((await valueFrom(initProject(again(), { ...ASKED, project: "part" }))).registry).toBe(at("part/.loopx/registry.json"));
  });

  test("a linked worktree's project is the main repository's (I3)", async () => {
    mkdirSync(at("main/.git/worktrees/wt"), { recursive: true });
    mkdirSync(at("wt/deep"), { recursive: true });
    writeFileSync(at("wt/.git"), `gitdir: ${at("main/.git/worktrees/wt")}\n`);
    writeFileSync(at("main/.git/worktrees/wt/commondir"), "../..\n");
    const answer = await valueFrom(initProject(again({ cwd: at("wt/deep") }), ASKED));
    expect(answer.registry).toBe(at("main/.loopx/registry.json"));
    expect((await valueFrom(initProject(again({ cwd: at("wt") }), ASKED))).changed).toBe(false);
  });

  test("the global registry is never a project (I3)", async () => {
    mkdirSync(at("home/.codex/loopx"), { recursive: true });
    writeFileSync(at("home/.codex/loopx/registry.global.json"), "{ broken");
    expect((await valueFrom(initProject(ground, ASKED))).registry).toBe(at(".loopx/registry.json"));
  });

  test("a registry that cannot be read, or is newer, is left as it is", async () => {
    mkdirSync(at(".loopx"));
    for (const [registry, code] of [
      ['{"goals": [', "json_unexpected_end"],
      ['{"schema_version": "99", "goals": [], "kept": 1}', "registry_newer_version"],
    ] as const) {
      writeFileSync(at(".loopx/registry.json"), registry);
      expect(await codeFrom(initProject(again(), ASKED))).toBe(code);
      expect(text(".loopx/registry.json")).toBe(registry);
      expect(existsSync(at(".codex"))).toBe(false);
    }
  });
});

describe("killed or failing between two writes (I1)", () => {
  /** Fails at the n-th write, before it or after it. */
  function failing(n: number, when: "before" | "after"): EditableFiles {
    let writes = 0;
    const guard = <A extends readonly unknown[], R>(write: (...given: A) => R) => {
      return (...given: A): R => {
        writes += 1;
        if (writes === n && when === "before") throw new Fault({ code: "disk_full", message: "full" });
        const answer = write(...given);
        if (writes === n) throw new Fault({ code: "disk_full", message: "full" });
        return answer;
      };
    };
    return {
      ...editableFiles,
      createFile: guard(editableFiles.createFile),
      replaceFile: guard(editableFiles.replaceFile),
      writeAtomically: guard(editableFiles.writeAtomically),
    };
  }

  test.each(["before", "after"] as const)(
    "leaves no half project, and the same command again completes it (%s)",
    async (when) => {
      let failures = 0;
      for (let n = 1; n <= 8; n += 1) {
        const world = sampleGround();
        grounds.push(world);
        mkdirSync(join(world.folder, ".git"));
        writeFileSync(join(world.folder, ".gitignore"), "node_modules");
        const broken = world.again({ files: failing(n, when) });
        grounds.push(broken);
        const first = await initProject(broken, ASKED).catch((error: unknown) => error);
        if (first instanceof Fault) failures += 1;
        const registry = join(world.folder, ".loopx/registry.json");
        if (existsSync(registry)) {
          expect(JSON.parse(readFileSync(registry, "utf8")).goals).toHaveLength(1);
          expect(existsSync(join(world.folder, STATE))).toBe(true);
        }
        const rerun = world.again();
        grounds.push(rerun);
        const answer: InitAnswer = await valueFrom(initProject(rerun, ASKED));
        expect(answer.state_file).toBe(join(world.folder, STATE));
        const third = world.again();
        grounds.push(third);
        expect((await valueFrom(initProject(third, ASKED))).changed).toBe(false);
        expect(readFileSync(join(world.folder, ".gitignore"), "utf8")).toBe("node_modules\n/.loopx/runtime/\n");
        const { store } = await third.workspace();
        const events = await store.events({ goal_id: "importer" as never, order: "oldest_first", limit: 100 });
        expect(events.filter((event) => event.type === "goal.opened")).toHaveLength(1);
      }
      expect(failures).toBeGreaterThanOrEqual(3);
    },
  );

  test("two at once make one project with both goals", async () => {
    const ids = ["one", "two", "three", "four"];
    const answers = await Promise.all(ids.map((goalId) => valueFrom(initProject(again(), { ...ASKED, goalId }))));
    expect(answers.filter(({ created }) => created.registry !== false)).toHaveLength(1);
    expect(
      JSON.parse(text(".loopx/registry.json"))
        .goals.map((goal: { id: string }) => goal.id)
        .sort(),
    ).toEqual([...ids].sort());
  });
});

describe(".gitignore", () => {
  const cases: readonly (readonly [before: string, after: string])[] = [
    ["", "/.loopx/runtime/\n"],
    ["dist", "dist\n/.loopx/runtime/\n"],
    ["dist\r\n", "dist\r\n/.loopx/runtime/\r\n"],
    ["dist\r\nout", "dist\r\nout\r\n/.loopx/runtime/\r\n"],
    ["\uFEFFdist\n", "\uFEFFdist\n/.loopx/runtime/\n"],
    ["  .loopx/  \n", "  .loopx/  \n"],
    ["/.loopx/runtime", "/.loopx/runtime"],
    [".loopx/**", ".loopx/**"],
    ["# .loopx/\n", "# .loopx/\n/.loopx/runtime/\n"],
  ];

  test.each(cases)("%j becomes %j (K1, K2)", async (before, after) => {
    mkdirSync(at(".git"));
    writeFileSync(at(".gitignore"), before);
    const answer = await valueFrom(initProject(ground, ASKED));
    expect(text(".gitignore")).toBe(after);
    expect(answer.created.gitignore).toBe(before === after ? false : at(".gitignore"));
  });

  test("is left alone for data outside of the project (K1)", async () => {
    mkdirSync(at("repo/.git"), { recursive: true });
    await valueFrom(initProject(again({ cwd: at("repo"), flags: { runtime_root: at("data") } }), { ...ASKED, project: "." }));
    expect(existsSync(at("repo/.gitignore"))).toBe(false);
  });

  test("that cannot be written is a warning (K3)", async () => {
    mkdirSync(at(".git"));
    mkdirSync(at(".gitignore"));
    const answer = await valueFrom(initProject(ground, ASKED));
    expect(answer.warnings).toMatchObject([{ code: "file_is_folder", path: at(".gitignore") }]);
    expect(answer.created.gitignore).toBe(false);
  });
});
