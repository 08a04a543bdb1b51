/**
 * What has to hold once a storm of kills is over and its work was taken up again.
 *
 * C1  Every todo is done, closed once, and ticked in its file.
 * C2  A turn's host ran once at most, never beside another one of the same todo, and every turn that it ran for has one end.
 * C3  What was spent is what was delivered: one slot for each turn that closed its todo or brought it forward, in journal and quota.
 * C4  Nothing is held, and nothing is left running or untold.
 * C5  A todo whose agent is gone is taken over when its lease has run out, never before, and within a second of it.
 */
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import type { GoalEvent } from "../../src/core/events.ts";
import { facts } from "./look.ts";
import { answer } from "./program.ts";
import { processesOf, type StormProject, said, turnRecords } from "./storm-project.ts";

/** Beside the second of C5: what a loaded machine needs to start a transaction. */
const SLACK_MS = 1000;

type Of<T extends GoalEvent["type"]> = Extract<GoalEvent, { type: T }>;

function all<T extends GoalEvent["type"]>(events: readonly GoalEvent[], type: T): readonly Of<T>[] {
  return events.filter((event): event is Of<T> => event.type === type);
}

export async function allIsDone(of: StormProject): Promise<void> {
  const events = await facts(of);
  const closed = all(events, "todo.closed").map(({ data }) => data.todo_id as string);
  expect(closed.sort()).toEqual([...of.todos].sort()); // (C1)
  const files = of.goals.map((goal) => readFileSync(of.stateFile(goal), "utf8")).join("");
  expect([files.match(/- \[x\]/g)?.length, files.match(/- \[ \]/g)]).toEqual([of.todos.length, null]);
}

export async function allIsWell(of: StormProject): Promise<void> {
  await allIsDone(of);
  const events = await facts(of);
  hostsRanOnce(of, events);
  await spentIsDelivered(of, events);
  expect(stillHeld(events)).toEqual([]);
  expect(processesOf(of)).toEqual([]);
  expect(turnRecords(of)).toEqual([]); // (C4)
  takenOverInTime(events);
}

/** C2. */
function hostsRanOnce(of: StormProject, events: readonly GoalEvent[]): void {
  const lines = said(of);
  const started = lines.filter(({ word }) => word === "started").map(({ turn }) => turn);
  expect(started.filter((turn, at) => started.indexOf(turn) !== at)).toEqual([]);
  expect(lines.filter(({ word }) => word === "beside")).toEqual([]);
  const written = all(events, "turn.written").map(({ data }) => String(data.turn_id));
  expect(written.filter((turn, at) => written.indexOf(turn) !== at)).toEqual([]);
  expect(started.filter((turn) => !written.includes(turn))).toEqual([]);
}

/** C3. */
async function spentIsDelivered(of: StormProject, events: readonly GoalEvent[]): Promise<void> {
  const delivered = all(events, "turn.written").filter(
    ({ data }) => data.todo_id !== null && (data.outcome === "completed" || data.outcome === "progress"),
  );
  const spent = all(events, "turn.spent");
  expect(spent.filter(({ data }) => data.units.slots > 0).map(({ data }) => data.turn_id)).toEqual(
    delivered.map(({ data }) => data.turn_id),
  );
  for (const goal of of.goals) {
    const { units } = await answer(of, "quota", "status", "--goal-id", goal);
    const count = delivered.filter(({ goal_id }) => goal_id === goal).length;
    expect(units[0]).toMatchObject({ name: "slots", used: count, reserved: 0 });
  }
}

function stillHeld(events: readonly GoalEvent[]): readonly string[] {
  const held = new Set<string>();
  for (const { type, data } of events) {
    if (type === "lease.taken" || type === "lease.moved") held.add(data.todo_id);
    if (type === "lease.freed") held.delete(data.todo_id);
  }
  return [...held];
}

interface Held {
  readonly owner: string;
  readonly expires: number;
}

/** C5. Who takes over may have been at work, or not there yet: what it did last is when it could first have done so. */
function takenOverInTime(events: readonly GoalEvent[]): void {
  const held = new Map<string, Held>();
  const last = new Map<string, number>();
  for (const event of events) {
    const at = Date.parse(event.at);
    const agent = event.agent_id ?? "";
    if (event.type === "lease.taken") inTime(event, held.get(event.data.todo_id), last.get(agent) ?? at);
    follow(held, event);
    last.set(agent, at);
  }
}

/** A lease that ran out stays until somebody has taken its todo. */
function follow(held: Map<string, Held>, { type, data }: GoalEvent): void {
  if (type === "lease.taken") held.set(data.todo_id, { owner: data.owner, expires: Date.parse(data.expires_at) });
  if (type === "lease.renewed") {
    const { owner } = held.get(data.todo_id) ?? { owner: "" };
    held.set(data.todo_id, { owner, expires: Date.parse(data.expires_at) });
  }
  if (type === "lease.freed" && data.reason !== "expired") held.delete(data.todo_id);
}

function inTime({ at, data }: Of<"lease.taken">, before: Held | undefined, ready: number): void {
  if (before === undefined) return;
  const { owner, expires } = before;
  const late = Date.parse(at) - expires;
  if (owner !== data.owner) expect(late, `${data.todo_id} was taken from ${owner} before its time`).toBeGreaterThanOrEqual(0);
  const bound = Math.max(expires, ready) + 1000 + SLACK_MS;
  expect(Date.parse(at), `${data.todo_id} was taken over late`).toBeLessThanOrEqual(bound);
}
