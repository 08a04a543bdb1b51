// What holds after any sequence of edits, commands and readings: with both stores, on real files.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stateFile } from "../../test/arbitrary/state-file.ts";
import { eventsOf, goalOf, type Json, takeIn } from "../../test/fakes/asks.ts";
import { makeWorld, REFRESH, STATE, STATUS, type StoreKind, type World } from "../../test/fakes/workspace.ts";
import { draftOf } from "../core/goal/draft.ts";
import { evolve } from "../core/goal/evolve.ts";
import { type GoalId, parseGoalId } from "../core/id.ts";
import { parsePlan } from "../core/plan/parse.ts";

const ID = alpha();

function alpha(): GoalId {
  const parsed = parseGoalId("alpha");
  if (!parsed.ok) throw new Error("no id");
  return parsed.id;
}

interface Step {
  /** Told when a sequence fails. */
  readonly named: unknown;
  readonly take: (of: World) => Promise<unknown> | unknown;
}

function step(named: unknown, take: Step["take"]): Step {
  return { named, take };
}

interface LineEdit {
  readonly at: number;
  readonly other: number;
  readonly how: string;
}

const lineEdit: fc.Arbitrary<LineEdit> = fc.record({
  at: fc.nat({ max: 60 }),
  other: fc.nat({ max: 60 }),
  how: fc.constantFrom("remove", "swap", "double", "tick", "reword"),
});

function editedLine(text: string, { at, other, how }: LineEdit): string {
  const lines = text.split("\n");
  const [here, there] = [at % lines.length, other % lines.length];
  const line = lines[here] ?? "";
  if (how === "remove") lines.splice(here, 1);
  if (how === "double") lines.splice(there, 0, line);
  if (how === "swap") [lines[here], lines[there]] = [lines[there] ?? "", line];
  if (how === "tick") lines[here] = line.includes("[ ]") ? line.replace("[ ]", "[x]") : line.replace("[x]", "[ ]");
  if (how === "reword") lines[here] = `${line} again`;
  return lines.join("\n");
}

const NEXT = ["Go on.", "Stop and think.", "## not a heading", "- [ ] no todo", "日本 \u2028 x"] as const;

const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: lineEdit.map((edit) => step(edit, (of) => of.edit((text) => editedLine(text, edit)))) },
    { weight: 1, arbitrary: stateFile.map((text) => step({ save: text }, (of) => of.save(text))) },
    {
      weight: 1,
      arbitrary: fc
        .nat({ max: 500 })
        .map((at) => step({ cut: at }, (of) => of.edit((text) => text.slice(0, at % (text.length + 1))))),
    },
    { weight: 1, arbitrary: fc.constant(step("restore", (of) => of.save(STATE))) },
    { weight: 2, arbitrary: fc.constantFrom(100, 2500, 600_000).map((ms) => step({ advance: ms }, (of) => of.advance(ms))) },
    { weight: 2, arbitrary: fc.constant(step("status", (of) => of.app.status({ ...STATUS, goalId: "alpha" }))) },
    { weight: 2, arbitrary: fc.constant(step("refresh --all", (of) => takeIn(of))) },
    { weight: 2, arbitrary: fc.constant(step("refresh", (of) => of.app.refresh(REFRESH))) },
    {
      weight: 3,
      arbitrary: fc
        .constantFrom(...NEXT)
        .map((nextAction) => step({ nextAction }, (of) => of.app.refresh({ ...REFRESH, nextAction }))),
    },
  ),
  { minLength: 1, maxLength: 14 },
);

async function after(store: StoreKind, sequence: readonly Step[], check: (of: World) => Promise<void>): Promise<void> {
  const of = await makeWorld({ store });
  try {
    for (const { take } of sequence) await take(of);
    await check(of);
  } finally {
    await of.close();
  }
}

describe.each<[StoreKind, number]>([
  ["memory", 40],
  ["sqlite", 12],
])("with the %s store", (store, numRuns) => {
  const holds = (check: (of: World) => Promise<void>): Promise<void> =>
    fc.assert(
      fc.asyncProperty(steps, (sequence) => after(store, sequence, check)),
      { numRuns },
    );

  test("H1 G2 what is rebuilt from the journal is equal to what is live, byte for byte", { timeout: 60_000 }, () =>
    holds(async (of) => {
      const live = await of.store.load({ goal_id: ID, todos: "all", base: "text" });
      const draft = draftOf(ID, { head: null, todos: new Map() });
      for (const event of await eventsOf(of)) evolve(draft, event);
      const sorted = [...draft.todos].sort(([a], [b]) => (a < b ? -1 : 1));
      expect(JSON.stringify([draft.head, sorted])).toBe(JSON.stringify([live.head, [...live.todos]]));
    }),
  );

  test("J2 the journal is numbered from 1 without a hole, in time order", { timeout: 60_000 }, () =>
    holds(async (of) => {
      const events = await eventsOf(of);
      expect(events.map((event) => event.seq)).toEqual(events.map((_, at) => at + 1));
      const times = events.map((event) => event.at);
      expect(times).toEqual([...times].sort());
    }),
  );

  test("T1 a read shows what a write takes in, and the write alone appends", { timeout: 60_000 }, () =>
    holds(async (of) => {
      const before = (await eventsOf(of)).length;
      const read = await goalOf(of);
      expect(await goalOf(of)).toEqual(read);
      expect((await eventsOf(of)).length).toBe(before);
      const text = of.text();
      await takeIn(of);
      const written = await goalOf(of);
      expect(withoutMoments(written)).toEqual(withoutMoments(of.text() === text ? read : { ...read, ...fromFile(written) }));
    }),
  );

  test("once nobody edits, taking in comes to rest: no event and no byte follows", { timeout: 60_000 }, () =>
    holds(async (of) => {
      for (let times = 0; times < 3; times += 1) {
        await takeIn(of);
        of.advance(5000);
      }
      const events = await eventsOf(of);
      const text = of.text();
      const shown = await goalOf(of);
      await takeIn(of);
      of.advance(5000);
      await takeIn(of);
      expect((await eventsOf(of)).slice(events.length)).toEqual([]);
      expect(of.text()).toBe(text);
      expect(await goalOf(of)).toEqual(shown);
    }),
  );

  test("the base names every todo of its text once", { timeout: 60_000 }, () =>
    holds(async (of) => {
      await takeIn(of);
      const { base, todos } = await of.store.load({ goal_id: ID, todos: "all", base: "text" });
      const ids = base?.ids ?? [];
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toHaveLength(parsePlan(base?.text ?? "").todos.length);
      expect(ids.filter((id) => !todos.has(id))).toEqual([]);
    }),
  );
});

/** Instants say when something was taken in, which a read cannot know. */
function withoutMoments(value: Json): Json {
  return JSON.parse(JSON.stringify(value), (key, inner) => (key === "since" ? "" : inner));
}

/** What a rendering that was due has changed. */
function fromFile(goal: Json): Json {
  const { state_file, problems, todos, left_out } = goal;
  return { state_file, problems, todos, left_out };
}
