import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentAddRequest, ConfigureGoalRequest } from "./app.ts";
import { agentAdd, configureGoal } from "./configure-goal.ts";
import { initProject } from "./init.ts";
import { codeFrom, type SampleGround, sampleGround, valueFrom } from "./workspace.sample.ts";
import type { WritingWorkspace } from "./workspace.ts";

let ground: SampleGround;
let workspace: WritingWorkspace;
let path: string;

beforeEach(async () => {
  ground = sampleGround();
  await initProject(ground, { objective: "Ship it", goalId: "importer", project: null, dryRun: false });
  workspace = await (await ground.workspace()).writing();
  path = join(ground.folder, ".loopx/registry.json");
});
afterEach(() => ground.remove());

const text = (): string => readFileSync(path, "utf8");
const configure = (asked: Partial<ConfigureGoalRequest>): ReturnType<typeof configureGoal> =>
  configureGoal(workspace, {
    goalId: "importer",
    quotaCompute: null,
    quotaWindowHours: null,
    writeScope: null,
    waitingOn: null,
    agentWorkModes: [],
    dryRun: false,
    ...asked,
  });
const add = (agentIds: readonly string[], asked: Partial<AgentAddRequest> = {}): ReturnType<typeof agentAdd> =>
  agentAdd(workspace, { goalId: "importer", agentIds, requireNew: false, dryRun: false, ...asked });

test("agents are added, each once, in the reference's spelling of ids", async () => {
  const answer = await valueFrom(add(["Alice Smith", "bob", "bob"]));
  expect(answer).toMatchObject({
    ok: true,
    goal_id: "importer",
    changed: true,
    changed_fields: ["registered_agents"],
    before: { registered_agents: [] },
    after: { registered_agents: ["alice-smith", "bob"], left_out: 0 },
    execute: true,
    written: true,
    registry: path,
  });
  const before = text();
  expect(await valueFrom(add(["bob"]))).toMatchObject({ changed: false, changed_fields: [], written: false });
  expect(await codeFrom(add(["bob", "carol"], { requireNew: true }))).toBe("agent_exists");
  expect(await codeFrom(add(["Ä"]))).toBe("agent_id_invalid");
  expect(await codeFrom(add([]))).toBe("nothing_to_set");
  expect(text()).toBe(before);
});

test("a goal is configured as a whole, and a preview writes nothing", async () => {
  await add(["alice"]);
  const asked = {
    quotaCompute: 0.5,
    quotaWindowHours: 48,
    writeScope: { mode: "add", items: ["src/**"] },
    waitingOn: { kind: "set", value: "controller" },
    agentWorkModes: ["Alice=monitor_only"],
  } as const;
  const before = text();
  const preview = await valueFrom(configure({ ...asked, dryRun: true }));
  expect(text()).toBe(before);
  const answer = await valueFrom(configure(asked));
  expect(answer).toEqual({ ...preview, dry_run: false, execute: true, written: true });
  expect(answer).toMatchObject({
    changed_fields: ["quota", "waiting_on", "write_scope", "agent_work_modes"],
    before: { quota: { compute: 1, window_hours: 24 }, waiting_on: null, write_scope: [], agent_work_modes: {} },
    after: {
      quota: { compute: 0.5, window_hours: 48 },
      waiting_on: "controller",
      write_scope: ["src/**"],
      registered_agents: ["alice"],
      agent_work_modes: { alice: "monitor_only" },
    },
  });
  expect(await valueFrom(configure(asked))).toMatchObject({ changed: false, changed_fields: [] });
  expect(await valueFrom(configure({ waitingOn: { kind: "clear" } }))).toMatchObject({ changed_fields: ["waiting_on"] });
});

test("what cannot be is refused before anything is written", async () => {
  const before = text();
  expect(await codeFrom(configure({ quotaCompute: 2, waitingOn: { kind: "set", value: "codex" } }))).toBe("quota_invalid");
  expect(await codeFrom(configure({ agentWorkModes: ["alice=active"] }))).toBe("unknown_agent");
  for (const word of ["alice", "alice=fast", "=active"])
    expect(await codeFrom(configure({ agentWorkModes: [word] }))).toBe("work_mode_invalid");
  expect(text()).toBe(before);
});

test("an answer stays within 8 KiB, and counts what it leaves out", async () => {
  const many = (name: string): readonly string[] => Array.from({ length: 500 }, (_, n) => `${name}-${n}-${"ü".repeat(40)}`);
  await add(Array.from({ length: 500 }, (_, n) => `agent-${n}-${"x".repeat(60)}`));
  const answer = await valueFrom(configure({ writeScope: { mode: "add", items: many("scope") } }));
  expect(answer.after.registered_agents.length).toBeGreaterThan(2);
  expect(answer.after.left_out).toBe(1000 - answer.after.registered_agents.length - answer.after.write_scope.length);
  expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(8192);
});

test("an answer to added agents stays within 8 KiB too", async () => {
  const answer = await valueFrom(add(Array.from({ length: 500 }, (_, n) => `agent-${n}-${"x".repeat(60)}`)));
  expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(8192);
});

test("what others wrote into the entry is shown as far as it can be understood", async () => {
  const root = JSON.parse(text());
  root.goals[0].coordination = { registered_agents: [{ id: "bob" }, 7, {}, "Ä"], write_scope: "all", agent_work_modes: [] };
  Object.assign(root.goals[0], { quota: "much", waiting_on: 3 });
  writeFileSync(path, JSON.stringify(root));
  const answer = await valueFrom(configure({ dryRun: true }));
  const shown = { quota: null, waiting_on: null, write_scope: [], registered_agents: ["bob"], agent_work_modes: {}, left_out: 0 };
  expect(answer).toMatchObject({ changed: false, before: shown, after: shown });
});
