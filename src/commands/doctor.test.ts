import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../adapters/system/system.ts";
import type { GoalId } from "../core/id.ts";
import { doctorPage } from "../core/show/markdown/doctor.ts";
import { Fault } from "../errors.ts";
import type { Machine } from "../ports/machine.ts";
import { goalAdd } from "./add-goal.ts";
import { DoctorSample, FIX, found, LOOK, recordRun, row, STATE } from "./doctor.sample.ts";
import { valueFrom } from "./workspace.sample.ts";
import type { WritingWorkspace } from "./workspace.ts";

let sample: DoctorSample;

beforeEach(() => {
  sample = new DoctorSample();
});
afterEach(() => sample.remove());

test("a project that is well has no findings, and its page fits a screen", async () => {
  await recordRun(await sample.project(), "t1");
  const answer = await sample.asked(LOOK);
  expect(answer.findings).toEqual([]);
  expect(answer).toMatchObject({ ok: true, fixed: [], left_out: { findings: 0 } });
  expect(answer.checks.map(({ severity }) => severity)).toEqual(answer.checks.map(() => "ok"));
  expect(doctorPage(answer).split("\n").length).toBeLessThanOrEqual(24);
});

test("looking writes nothing where nothing is (D2)", async () => {
  const empty = await sample.asked(LOOK);
  expect(empty.ok).toBe(true);
  expect(found(empty, "roots")).toMatchObject([{ severity: "warning", fix: expect.stringContaining("loopx init") }]);
  expect(row(empty, "engine")?.severity).toBe("skipped");
  expect(readdirSync(sample.ground.folder)).toEqual([]);
  mkdirSync(sample.at(".loopx"));
  writeFileSync(sample.at(".loopx/registry.json"), '{"goals": [], "common_runtime_root": "data"}');
  expect(await sample.asked(LOOK)).toMatchObject({ ok: true });
  expect(await sample.asked({ fix: true, dryRun: true })).toMatchObject({ ok: true });
  expect(existsSync(sample.at("data"))).toBe(false);
});

describe("what is broken is a finding, never the end (D1)", () => {
  test("a registry that is named and not there", async () => {
    const answer = await sample.asked(LOOK, { flags: { registry: "nowhere.json" } });
    expect(answer.ok).toBe(false);
    expect(found(answer, "roots")).toMatchObject([{ severity: "error", path: sample.at("nowhere.json") }]);
  });

  test("a registry that is no JSON", async () => {
    await sample.project();
    writeFileSync(sample.at(".loopx/registry.json"), '{"common_runtime_root": ".loopx/runtime",\n "goals": [,]}');
    const answer = await sample.asked(LOOK);
    expect(answer.ok).toBe(false);
    expect(answer.findings.filter(({ severity }) => severity === "error")).toMatchObject([
      { path: sample.at(".loopx/registry.json"), line: 2 },
    ]);
  });

  test("problems of the registry, with their lines", async () => {
    await sample.project();
    const text = readFileSync(sample.at(".loopx/registry.json"), "utf8");
    writeFileSync(
      sample.at(".loopx/registry.json"),
      text.replace('"schema_version": "0.1"', '"schema_version": "9"').replace('"domain": "general"', '"domain": ""'),
    );
    const findings = found(await sample.asked(LOOK), "registry");
    expect(findings).toMatchObject([
      { severity: "error", line: expect.any(Number) },
      { severity: "warning", line: 2 },
    ]);
  });

  test("a store that is no database", async () => {
    await sample.project();
    for (const each of sample.ground.opened.splice(0)) await each.store.close();
    for (const suffix of ["-wal", "-shm"]) rmSync(sample.at(`.loopx/runtime/loopx.db${suffix}`), { force: true });
    writeFileSync(sample.at(".loopx/runtime/loopx.db"), "x".repeat(8192));
    const answer = await sample.asked(FIX);
    expect(answer.ok).toBe(false);
    expect(found(answer, "engine")).toMatchObject([{ severity: "error", path: sample.at(".loopx/runtime/loopx.db") }]);
    expect(row(answer, "state_files")?.severity).toBe("ok");
    expect(row(answer, "integrity")?.severity).toBe("skipped");
  });

  test("a check that fails says so, and the others go on", async () => {
    await sample.project();
    const fail = (): never => {
      throw new Fault({ code: "io_error", message: "the disk failed", hint: "look at it" });
    };
    const answer = await sample.asked(LOOK, {
      machine: { syncTime: fail, portState: fail, deviceOf: () => Reflect.apply(null as never, null, []) },
    });
    expect(found(answer, "disk")).toMatchObject([{ severity: "error", message: "the disk failed look at it" }]);
    expect(answer.findings.map(({ check }) => check).sort()).toEqual(["disk", "mounts", "port"]);
  });

  test("state files that are missing, unreadable or not understood", async () => {
    const workspace = await sample.project();
    for (const goalId of ["gone", "broken", "linked"])
      await valueFrom(
        goalAdd(workspace, { goalId, objective: "x", displayName: null, stateFile: `${goalId}.md`, dryRun: false }),
      );
    rmSync(sample.at("gone.md"));
    writeFileSync(sample.at("broken.md"), Buffer.from([0x61, 0x0a, 0xff]));
    rmSync(sample.at("linked.md"));
    symlinkSync("/etc/hostname", sample.at("linked.md"));
    appendFileSync(sample.at(STATE), "\n## Agent Todo\n\n- [ ] x <!-- loopx:todo ??? -->\n");
    const findings = found(await sample.asked(LOOK), "state_files");
    expect(findings).toContainEqual(
      expect.objectContaining({ severity: "warning", path: sample.at("gone.md"), fix: "loopx drift --fix --goal-id gone" }),
    );
    expect(findings).toContainEqual(expect.objectContaining({ severity: "error", path: sample.at("broken.md"), line: 2 }));
    expect(findings).toContainEqual(expect.objectContaining({ severity: "error", path: sample.at("linked.md") }));
  });
});

test("a goal that was cut off on its way to the archive", async () => {
  const workspace = await sample.project();
  const { writeGoal } = await import("./write-goal.ts");
  const { registryRows } = await import("./registry-rows.ts");
  const rows = await valueFrom(registryRows(workspace));
  const goal_id = "importer" as GoalId;
  const [registered = null] = await rows.find(goal_id);
  const state = { kind: "not_declared", since: systemClock.now() } as const;
  const commands = (): readonly [{ kind: "start-archive"; source: string; target: string }] => [
    { kind: "start-archive", source: "/a", target: "/b" },
  ];
  await writeGoal(workspace, rows, { subject: { goal_id, registered }, state, commands, rehearse: "store" });
  expect(found(await sample.asked(LOOK), "archives")).toMatchObject([
    { severity: "warning", path: "/b", fix: "loopx archive --goal-id importer" },
  ]);
});

test("holes in the journal and heads that are not its end", async () => {
  const workspace = await sample.project();
  await workspace.store.rebuild("importer" as GoalId, () => ({ head: null, todos: new Map() }));
  const answer = await sample.asked(LOOK);
  expect(answer.ok).toBe(false);
  expect(found(answer, "integrity")).toMatchObject([{ severity: "error", fix: "loopx rebuild --all" }]);
});

describe("the machine", () => {
  const cases: readonly (readonly [name: string, machine: Partial<Machine>, check: string, severity: string])[] = [
    ["Node that is too old", { node_version: "20.18.3" }, "node", "error"],
    ["Node 18", { node_version: "18.20.0" }, "node", "error"],
    ["Node 20", { node_version: "20.19.0" }, "node", "info"],
    ["Node 22", { node_version: "22.0.0" }, "node", "ok"],
    ["certificates on Node 20", { node_version: "20.19.0", extra_certificates: "/ca.pem" }, "certificates", "info"],
    ["certificates on Node 24", { extra_certificates: "/ca.pem" }, "certificates", "ok"],
    ["a slow disk", { syncTime: () => ({ kind: "measured", milliseconds: 80 }) }, "disk", "warning"],
    ["a disk that cannot be written", { syncTime: () => ({ kind: "failed", code: "EROFS" }) }, "disk", "warning"],
    ["a full disk", { freeBytes: () => 1000 }, "disk", "warning"],
    ["a disk that tells nothing", { freeBytes: () => null, mountOf: () => null }, "disk", "ok"],
    ["an archive on another device", { deviceOf: (path) => path.slice(-8) }, "mounts", "info"],
    ["strict access times", { mountOf: () => ({ mount_point: "/x", kind: "ext4", options: ["rw"] }) }, "access_times", "info"],
    ["noatime", { mountOf: () => ({ mount_point: "/", kind: "ext4", options: ["rw", "noatime"] }) }, "access_times", "ok"],
    ["a system without mounts", { mountOf: () => null }, "access_times", "ok"],
    ["a port in use", { portState: async () => "in_use" }, "port", "info"],
    ["a port that is not permitted", { portState: async () => "not_permitted" }, "port", "warning"],
  ];

  test.each(cases)("%s", async (_, machine, check, severity) => {
    await sample.project();
    const answer = await sample.asked(LOOK, { machine });
    expect(row(answer, check)?.severity).toBe(severity);
    expect(answer.ok).toBe(severity !== "error");
  });
});

describe("roots", () => {
  test("links and worktrees are told", async () => {
    await sample.project();
    symlinkSync(sample.ground.folder, `${sample.ground.folder}-link`);
    const linked = await sample.asked(LOOK, { cwd: `${sample.ground.folder}-link` });
    expect(found(linked, "roots")).toMatchObject([
      { severity: "info", path: `${sample.ground.folder}-link/.loopx/registry.json` },
    ]);
    rmSync(`${sample.ground.folder}-link`);
    mkdirSync(sample.at("elsewhere"));
    symlinkSync(sample.at("elsewhere"), sample.at("data"));
    expect(found(await sample.asked(LOOK, { flags: { runtime_root: "data" } }), "roots")).toMatchObject([
      { path: sample.at("data") },
    ]);
    mkdirSync(sample.at(".git/worktrees/wt"), { recursive: true });
    mkdirSync(sample.at("home/wt"), { recursive: true });
    writeFileSync(sample.at("home/wt/.git"), `gitdir: ${sample.at(".git/worktrees/wt")}\n`);
    writeFileSync(sample.at(".git/worktrees/wt/commondir"), "../..\n");
    const tree = await sample.asked(LOOK, { cwd: sample.at("home/wt") });
    expect(found(tree, "roots")).toMatchObject([{ severity: "info", path: sample.at("home/wt") }]);
    expect(row(tree, "roots")?.says).toContain("(search)");
  });
});

test("a store that may only be read is a warning", async () => {
  await sample.project();
  const opened = (workspace: WritingWorkspace): WritingWorkspace => ({
    ...workspace,
    store: { ...workspace.store, facts: () => ({ ...workspace.store.facts(), access: "read_only" }) },
  });
  expect(found(await sample.asked(LOOK, { opened }), "engine")).toMatchObject([{ severity: "warning" }]);
});
