// `goal-lifecycle` as scripts use it: a preview until `--execute` is given. One test a row, against the built program.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ReferenceProject, referenceProject } from "./reference-project.ts";

const REGISTRY = ".loopx/registry.json";

describe("goal-lifecycle", () => {
  let own: ReferenceProject;
  const lifecycle = (...options: readonly string[]): ReturnType<ReferenceProject["run"]> =>
    own.run(["--format", "json", "goal-lifecycle", ...options]);
  const orchard = (...options: readonly string[]): ReturnType<ReferenceProject["run"]> =>
    lifecycle("--goal-id", "orchard", ...options);
  beforeAll(() => {
    own = referenceProject();
  });
  afterAll(() => own.remove());

  test.each<[number, string, readonly string[]]>([
    [2, "no operation", ["--goal-id", "orchard"]],
    [2, "another operation", ["--goal-id", "orchard", "--operation", "archive"]],
    [2, "no goal", ["--operation", "stop"]],
    [2, "an option that is not there", ["--goal-id", "orchard", "--operation", "stop", "--force"]],
    [2, "to write and not to write", ["--goal-id", "orchard", "--operation", "stop", "--execute", "--dry-run"]],
    [3, "a goal that is not there", ["--goal-id", "desert", "--operation", "stop", "--execute"]],
  ])("ends with %i for %s", (exit, _, options) => {
    const before = own.read(REGISTRY);
    expect(lifecycle(...options)).toMatchObject({ exit, answer: { ok: false } });
    expect(own.read(REGISTRY)).toBe(before);
  });

  test.each<[readonly string[], Record<string, unknown>]>([
    [
      ["--operation", "stop"],
      { before_state: "active", after_state: "stopped", changed: true, dry_run: true, execute: false, written: false },
    ],
    [["--operation", "stop", "--dry-run"], { changed: true, dry_run: true, written: false }],
    [["--operation", "stop", "--execute=false"], { changed: true, dry_run: true, written: false }],
    [["--operation", "stop", "--reason", "Winter"], { activation: { state: "stopped", reason: "Winter" } }],
    [["--operation", "resume"], { before_state: "active", after_state: "active", changed: false, dry_run: true }],
  ])("only shows what it would do: %j", (options, expected) => {
    const before = own.read(REGISTRY);
    expect(orchard(...options)).toMatchObject({ exit: 0, answer: { ok: true, goal_id: "orchard", ...expected } });
    expect(own.read(REGISTRY)).toBe(before);
  });

  test("stops with --execute, and the question of the next turn is answered so", () => {
    const { exit, answer } = orchard("--operation", "stop", "--reason", "Winter", "--execute");
    expect({ exit, ...answer }).toMatchObject({ exit: 0, changed: true, dry_run: false, execute: true, written: true });
    const [goal] = JSON.parse(own.read(REGISTRY)).goals;
    expect(goal.activation).toMatchObject({ schema_version: "loopx_goal_activation_v1", state: "stopped", reason: "Winter" });
    const asked = ["--format", "json", "quota", "should-run", "--goal-id", "orchard", "--agent-id", "gardener"];
    expect(own.run(asked)).toMatchObject({ exit: 0, answer: { should_run: false, state: "paused", act: "stop" } });
  });

  test("changes nothing the second time", () => {
    const before = own.read(REGISTRY);
    expect(orchard("--operation", "stop", "--execute")).toMatchObject({
      exit: 0,
      answer: { before_state: "stopped", after_state: "stopped", changed: false, written: false },
    });
    expect(own.read(REGISTRY)).toBe(before);
  });

  test("resumes with --execute", () => {
    const { exit, answer } = orchard("--operation", "resume", "--reason", "Spring", "--execute");
    expect({ exit, ...answer }).toMatchObject({ exit: 0, before_state: "stopped", after_state: "active", written: true });
    expect(JSON.parse(own.read(REGISTRY)).goals[0].activation).toMatchObject({ state: "active", reason: "Spring" });
  });

  test("answers in at most 8 KiB", () => {
    const { out } = orchard("--operation", "stop", "--reason", "日".repeat(600));
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(8192);
  });
});
