/**
 * Claim, done, an answer to a question and a spend, killed at every call: what was acknowledged is there, nothing is there twice,
 * nothing blocks, and the same command again finishes what was begun.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { GoalEvent } from "../../src/core/events.ts";
import { asked, GATE, held, known, WHO, written } from "./decisions.ts";
import { facts, nothingStrangeIn } from "./look.ts";
import { answer, type Json, loopx, type Project } from "./program.ts";
import { type Hit, sweep } from "./sweep.ts";

const QUICK_MS = 20_000;
interface Case {
  readonly setUp: (of: Project) => Promise<void>;
  readonly args: readonly string[];
  /** The one event that the command is there for. */
  readonly proves: GoalEvent["type"];
  /** How the same command ends once it was carried out. */
  readonly again: { readonly exit: number; readonly says: object };
  /** What the state file says in the end. */
  readonly shows: RegExp;
  /** Of one event, in the end, beside that which it proves. */
  readonly once: readonly GoalEvent["type"][];
}

function countOf(events: readonly GoalEvent[], type: GoalEvent["type"]): number {
  return events.filter((event) => event.type === type).length;
}

async function works(of: Project): Promise<void> {
  const status = await loopx(of, "status");
  expect([status.exit, status.stderr]).toEqual([0, ""]);
  expect(status.milliseconds).toBeLessThan(QUICK_MS);
  expect(JSON.parse(status.stdout).goals).toMatchObject([{ goal_id: "alpha", problems: [] }]);
}

async function check({ of, run }: Hit, { args, proves, again, shows, once }: Case): Promise<void> {
  await works(of);
  const after = await facts(of);
  const count = countOf(after, proves);
  expect(count).toBeLessThanOrEqual(1);
  if (run.stdout !== "") expect([count, JSON.parse(run.stdout).ok]).toEqual([1, true]);
  const repeated = await loopx(of, ...args);
  const said: Json = JSON.parse(repeated.stdout);
  expect(repeated.milliseconds).toBeLessThan(QUICK_MS);
  expect(repeated.stderr).toBe("");
  if (count === 0) expect([repeated.exit, said.ok]).toEqual([0, true]);
  else expect([repeated.exit, said]).toMatchObject([again.exit, again.says]);
  await answer(of, "refresh", "--all");
  const events = await facts(of);
  expect([proves, ...once].map((type) => [type, countOf(events, type)])).toEqual([proves, ...once].map((type) => [type, 1]));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
  expect(readFileSync(of.stateFile(), "utf8")).toMatch(shows);
  nothingStrangeIn(of);
}

async function sweeps(each: Case): Promise<void> {
  const { setUp, args } = each;
  const { points, vanished, failures } = await sweep({ blow: "kill", setUp, args, check: (hit) => check(hit, each) });
  expect(failures.slice(0, 20)).toEqual([]);
  expect(points).toBeGreaterThan(10);
  expect(vanished).toBeLessThan(points / 10);
}

describe("killed at every call", () => {
  test("claim: one lease, whose number is the first", () =>
    sweeps({
      setUp: known,
      args: ["claim", ...WHO, "--todo-id", "todo_ground", "--turn-instance-id", "turn-1"],
      proves: "lease.taken",
      again: { exit: 0, says: { claimed: true, idempotent_replay: true, lease: { owner: "a1", epoch: 1 } } },
      shows: /todo_id=todo_ground .*claimed_by=a1/,
      once: [],
    }));

  test("done: closed, followed up, freed and spent, all or nothing", () =>
    sweeps({
      setUp: held,
      args: [
        "done",
        ...WHO,
        "--lease-epoch",
        "1",
        "--turn-instance-id",
        "turn-1",
        "--summary",
        "It stands",
        "--next",
        "Paint it",
      ],
      proves: "todo.closed",
      again: { exit: 0, says: { ok: true, idempotent_replay: true, todo_id: "todo_ground", status: "done" } },
      shows: /- \[x\] Build the ground[\s\S]*Paint it/,
      once: ["lease.freed", "turn.spent"],
    }));

  test("gate approve: answered once", () =>
    sweeps({
      setUp: asked,
      args: ["gate", "approve", GATE, "--goal-id", "alpha", "--reason", "Looks good"],
      proves: "gate.decided",
      again: { exit: 1, says: { ok: false, code: "gate_decided" } },
      shows: /- \[x\] Ship it\?/,
      once: [],
    }));

  test("quota spend-slot: spent once", () =>
    sweeps({
      setUp: written,
      args: ["quota", "spend-slot", ...WHO, "--turn-instance-id", "turn-1", "--execute"],
      proves: "turn.spent",
      again: { exit: 0, says: { ok: true, appended: false, idempotent_replay: true } },
      shows: /Build the ground/,
      once: [],
    }));
});
