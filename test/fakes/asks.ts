/** What tests ask of a world again and again. */
import { expect } from "vitest";
import type { GoalEvent } from "../../src/core/events.ts";
import { parseGoalId } from "../../src/core/id.ts";
import { DRIFT, REFRESH, STATUS, type World } from "./workspace.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers are JSON records that tests look into.
export type Json = any;

/** The goal's row of `status`. */
export async function rowOf(of: World, goalId = "alpha"): Promise<Json> {
  const reply: Json = await of.app.status({ ...STATUS, goalId });
  expect(reply.kind).toBe("done");
  return reply.value.goals[0];
}

/** All that `goal show` says of the goal. */
export async function goalOf(of: World, goalId = "alpha"): Promise<Json> {
  const reply: Json = await of.app.goalShow({ goalId });
  expect(reply.kind).toBe("done");
  return reply.value.goal;
}

export async function takeIn(of: World): Promise<Json> {
  const reply: Json = await of.app.refreshAll({ dryRun: false });
  expect(reply).toMatchObject({ kind: "done", value: { refused: [] } });
  return reply.value;
}

export async function say(of: World, nextAction: string): Promise<Json> {
  const reply: Json = await of.app.refresh({ ...REFRESH, nextAction });
  expect(reply.kind).toBe("done");
  return reply.value;
}

export async function eventsOf(of: World, goalId = "alpha", since = 0): Promise<readonly GoalEvent[]> {
  const parsed = parseGoalId(goalId);
  if (!parsed.ok) throw new Error(`no goal id: ${goalId}`);
  const events = await of.store.events({ goal_id: parsed.id, order: "oldest_first", limit: 10_000 });
  return events.slice(since);
}

export async function driftKinds(of: World, goalId = "alpha"): Promise<readonly string[]> {
  const reply: Json = await of.app.drift({ ...DRIFT, goalId });
  expect(reply.kind).toBe("done");
  return reply.value.drift.map((entry: Json) => entry.kind);
}
