// `archive-runtime` as scripts use it: a preview until `--execute` is given. One test a row, against the built program.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ReferenceProject, referenceProject } from "./reference-project.ts";

describe("archive-runtime", () => {
  let own: ReferenceProject;
  const archive = (...options: readonly string[]): ReturnType<ReferenceProject["run"]> =>
    own.run(["--format", "json", "archive-runtime", "--goal-id", "orchard", ...options]);
  const there = (): readonly string[] => readdirSync(join(own.root, "project/runtime/goals"));
  beforeAll(() => {
    own = referenceProject();
  });
  afterAll(() => own.remove());

  test("refuses a registered goal", () => {
    expect(archive()).toMatchObject({ exit: 1, answer: { ok: false, code: "goal_registered" } });
  });

  test("only shows what it would do, until --execute is given", () => {
    const { exit, answer } = archive("--allow-registered");
    expect(exit).toBe(0);
    expect(Object.keys(answer)).toEqual(
      expect.arrayContaining([
        ...["ok", "goal_id", "registry", "runtime_root", "registry_member", "source", "archive_root", "archive_path", "dry_run"],
        ...["archived", "action", "checks"],
      ]),
    );
    expect(answer).toMatchObject({ dry_run: true, archived: false, action: "would-move", registry_member: true });
    expect(answer["archive_path"]).toMatch(/\/archived-goals\/orchard-\d{8}T\d{6}Z$/);
    expect(there()).toEqual(["orchard"]);
  });

  test("takes another place with --archive-root", () => {
    const place = join(own.root, "shed");
    const { answer } = archive("--allow-registered", "--archive-root", place);
    expect(answer).toMatchObject({ archive_root: place, archive_path: expect.stringMatching(/\/shed\/orchard-\d{8}T\d{6}Z$/) });
  });

  test("finds no goal that has no folder", () => {
    const args = ["--format", "json", "archive-runtime", "--goal-id", "meadow", "--allow-registered"];
    expect(own.run(args)).toMatchObject({ exit: 3, answer: { ok: false, code: "runtime_goal_not_found" } });
  });

  test("moves with --execute", () => {
    const { exit, answer } = archive("--allow-registered", "--execute");
    expect({ exit, ...answer }).toMatchObject({ exit: 0, dry_run: false, archived: true, action: "moved" });
    expect(there()).toEqual([]);
    expect(readdirSync(join(String(answer["archive_path"]), "runs"))).toEqual(["index.jsonl"]);
  });
});
