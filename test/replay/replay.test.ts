/**
 * Journals that were written down once give the heads, todos and status that were recorded with them, in every later version.
 *
 * A recorded journal or answer is never edited: a new shape of an event gets a journal of its own (J1).
 */
import { readdirSync, readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { GoalEvent } from "../../src/core/events.ts";
import { draftOf, type GoalDraft } from "../../src/core/goal/draft.ts";
import { evolve } from "../../src/core/goal/evolve.ts";
import type { Store } from "../../src/ports/store.ts";
import { type Json, rowOf } from "../fakes/asks.ts";
import { makeWorld, type StoreKind } from "../fakes/workspace.ts";

const NAMES = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".jsonl"));

function journalOf(name: string): readonly GoalEvent[] {
  const lines = readFileSync(join(import.meta.dirname, name), "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line));
}

function recordedFor(name: string): Json {
  return JSON.parse(readFileSync(join(import.meta.dirname, name.replace(".jsonl", ".json")), "utf8"));
}

function folded(events: readonly GoalEvent[]): GoalDraft {
  const [first] = events;
  if (first === undefined) throw new Error("an empty journal");
  const draft = draftOf(first.goal_id, { head: null, todos: new Map() });
  for (const event of events) evolve(draft, event);
  return draft;
}

/** One event a transaction, as it was when they happened. */
async function append(store: Store, event: GoalEvent): Promise<void> {
  await store.transact([{ goal_id: event.goal_id, todos: "all", base: "none" }], ([loaded]) => {
    const draft = draftOf(event.goal_id, { head: loaded?.head ?? null, todos: loaded?.todos ?? new Map() });
    evolve(draft, event);
    if (draft.head === null) throw new Error("not opened");
    const touched = [...draft.touched];
    const put = touched.flatMap((id) => draft.todos.get(id) ?? []);
    const removed = touched.filter((id) => !draft.todos.has(id));
    return {
      answer: null,
      changes: [{ goal_id: event.goal_id, events: [event], head: draft.head, todos_put: put, todos_removed: removed }],
    };
  });
}

test("there are journals to replay", () => {
  expect(NAMES.length).toBeGreaterThanOrEqual(2);
});

describe.each(NAMES)("%s", (name) => {
  test("J1 H1 folds to the recorded head and todos, key for key", () => {
    const { head, todos } = folded(journalOf(name));
    const recorded = recordedFor(name);
    expect(JSON.stringify(head)).toBe(JSON.stringify(recorded.head));
    expect(JSON.stringify([...todos.values()])).toBe(JSON.stringify(recorded.todos));
  });

  test.each<StoreKind>(["memory", "sqlite"])(
    "stands in the %s store as recorded, and is read back as it was written",
    async (kind) => {
      const events = journalOf(name);
      const id = events[0]?.goal_id;
      if (id === undefined) throw new Error("an empty journal");
      const of = await makeWorld({ store: kind, goals: [id] });
      try {
        for (const event of events) await append(of.store, event);
        const recorded = recordedFor(name);
        const { head } = await of.store.load({ goal_id: id, todos: "none", base: "none" });
        expect(JSON.stringify(head)).toBe(JSON.stringify(recorded.head));
        const fed = await of.store.feed(null, 1000);
        expect(fed.map((each) => JSON.stringify(each.event))).toEqual(events.map((event) => JSON.stringify(event)));
      } finally {
        await of.close();
      }
    },
  );

  test("is shown by status as recorded", async () => {
    const events = journalOf(name);
    const id = events[0]?.goal_id ?? "";
    const of = await makeWorld({ goals: [id] });
    try {
      unlinkSync(of.stateFile);
      // The registry of the journal is another one: the goal is shown as its own.
      for (const event of events)
        await append(of.store, event.type === "goal.opened" ? { ...event, data: { registry: of.registryPath } } : event);
      const row = await rowOf(of, id);
      const { activation, lifecycle, run_count, next_action, todos } = row;
      const latest =
        row.latest_run === null
          ? null
          : { generated_at: row.latest_run.generated_at, classification: row.latest_run.classification };
      const drift = row.drift.map((entry: Json) => entry.kind).sort();
      expect({ activation, lifecycle, run_count, next_action, todos, latest_run: latest, drift }).toEqual(
        recordedFor(name).status,
      );
    } finally {
      await of.close();
    }
  });
});
