import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nextAction, record } from "../../test/contract/store-data.ts";
import { HISTORY, makeWorld, registryText, STATUS, type StoreKind, type World, write } from "../../test/fakes/workspace.ts";
import type { GoalId } from "../core/id.ts";
import type { Reply } from "../core/result.ts";
import { printedBytes } from "../core/show/print-json.ts";
import { PLAIN_RUN } from "./plain-run.ts";

let world: World;

const STATE = [
  "# Alpha",
  "",
  "## Next Action",
  "",
  "- Begin.",
  "",
  "## User Todo",
  "",
  "- [ ] May it write there?",
  "  <!-- loopx:todo todo_id=todo_gate status=open task_class=user_gate unblocks_todo_id=todo_gated -->",
  "",
  "## Agent Todo",
  "",
  ...["ground", "roof", "wall", "door"].flatMap((name, index) => [
    `- [ ] [P${1 + (index % 3)}] Build the ${name}`,
    `  <!-- loopx:todo todo_id=todo_${name} status=open -->`,
  ]),
  "- [ ] [P2] Paint it",
  "  <!-- loopx:todo todo_id=todo_gated status=open -->",
  "",
].join("\n");

const NEXT = { goalId: "alpha", agentId: "a", turnInstanceId: null, instance: null, capabilities: [], seen: null } as const;
const WHY = { goalId: "alpha", agentId: "a", instance: null, capabilities: [] } as const;
const CLAIM = {
  ...WHY,
  todoId: null,
  turnInstanceId: null,
  ttlSeconds: 600,
  writeScopes: [],
  idempotencyKey: null,
  dryRun: false,
} as const;

async function value<T>(reply: Promise<Reply<T>>): Promise<T> {
  const got = await reply;
  if (got.kind !== "done") throw new Error(`${got.code}: ${got.message}`);
  return got.value;
}

async function begin(store: StoreKind): Promise<void> {
  world = await makeWorld({ state: STATE, store });
  const more = { coordination: { registered_agents: ["a", "b"] }, quota: { allowed_slots: 3 } };
  write(world.registryPath, registryText(["alpha"], more));
}

async function headSeq(): Promise<number> {
  const { head } = await world.store.load({ goal_id: "alpha" as GoalId, todos: "none", base: "none" });
  return head?.seq ?? 0;
}

/** Everything that can be asked of the past, but for what is said of the moment and of the state file as it now stands. */
async function seen(at?: string): Promise<Record<string, unknown>> {
  const moment = at === undefined ? {} : { at };
  const status = await value(world.app.status({ ...STATUS, goalId: "alpha", ...moment }));
  const history = await value(world.app.history({ ...HISTORY, ...moment }));
  const goals = status.goals.map(({ state_file: _file, drift: _drift, ...goal }) => goal);
  const of = (answer: object): unknown => ({ ...answer, at: undefined });
  return {
    a: of(await value(world.app.next({ ...NEXT, ...moment }))),
    b: of(await value(world.app.next({ ...NEXT, agentId: "b", ...moment }))),
    why: of(await value(world.app.why({ ...WHY, ...moment }))),
    ground: of(await value(world.app.whyNot({ ...WHY, todoId: "todo_ground", ...moment }))),
    gated: of(await value(world.app.whyNot({ ...WHY, todoId: "todo_gated", ...moment }))),
    status: { goals, counts: status.counts, run_count: status.run_count },
    history: { runs: history.runs, run_count: history.run_count },
  };
}

const run = (agentId: string, classification: string) =>
  value(world.app.refresh({ ...PLAIN_RUN, goalId: "alpha", agentId, classification, deliveryOutcome: "outcome_progress" }));

const OF_LEASE = { turnInstanceId: null, key: null, expectedVersion: null, dryRun: false } as const;
const ANSWER = { todoId: "todo_gate", goalId: "alpha", reason: null, until: null, agentId: null, dryRun: false } as const;
const GROUND = { goalId: "alpha", todoId: "todo_ground", leaseEpoch: 1, ...OF_LEASE } as const;

const SPEND = {
  goalId: "alpha",
  todoId: null,
  turnInstanceId: null,
  slots: 1,
  tokens: null,
  wallMs: null,
  source: "adapter",
  dryRun: false,
} as const;

/** A story of which each step leaves another answer. */
const STORY: readonly (() => Promise<unknown>)[] = [
  () => run("a", "progress"),
  () => value(world.app.claim(CLAIM)),
  () => value(world.app.claim({ ...CLAIM, agentId: "b" })),
  () => value(world.app.leaseRenew({ ...GROUND, agentId: "a", ttlSeconds: 900 })),
  () => value(world.app.gateDecide({ ...ANSWER, outcome: "defer" })),
  () => value(world.app.leaseTransfer({ ...GROUND, agentId: "a", to: "b" })),
  () => value(world.app.gateDecide({ ...ANSWER, outcome: "approve" })),
  () => run("b", "more"),
  () => value(world.app.quotaSpendSlot({ ...SPEND, agentId: "b" })),
  () => value(world.app.goalStop({ goalId: "alpha", reason: "budget", dryRun: false })),
];

describe.each(["memory", "sqlite"] as const)("looking back, on %s", (store) => {
  beforeEach(() => begin(store));
  afterEach(() => world.close());

  test("P1 P2 gives what was answered right after each event, however much came later", async () => {
    const told: { readonly seq: number; readonly answers: unknown; readonly time: string }[] = [];
    for (const step of STORY) {
      await step();
      told.push({ seq: await headSeq(), answers: await seen(), time: world.now() });
      world.advance(60_000);
    }
    world.advance(40 * 24 * 3_600_000);
    for (const { seq, answers, time } of told) {
      expect([seq, await seen(String(seq))]).toEqual([seq, answers]);
      expect([seq, await seen(time)]).toEqual([seq, answers]); // (P5)
    }
  });

  test("P4 writes nothing, and carries the event and its time", async () => {
    await run("a", "progress");
    const [seq, time] = [await headSeq(), world.now()];
    await value(world.app.claim(CLAIM));
    world.advance(3_600_000);
    const before = await world.store.lastPosition();
    const at = { seq, time };
    expect((await value(world.app.next({ ...NEXT, at: String(seq) }))).at).toEqual(at);
    expect((await value(world.app.why({ ...WHY, at: String(seq) }))).at).toEqual(at);
    expect((await value(world.app.whyNot({ ...WHY, todoId: "todo_roof", at: String(seq) }))).at).toEqual(at);
    expect((await value(world.app.history({ ...HISTORY, at: String(seq) }))).at).toEqual(at);
    expect((await value(world.app.status({ ...STATUS, goalId: "alpha", at: String(seq) }))).at).toEqual(at);
    expect(await world.store.lastPosition()).toBe(before);
    const now = await value(world.app.status({ ...STATUS, goalId: "alpha" }));
    expect(now.at).toBeUndefined();
    expect(now.goals[0]?.todos?.open).toBe(6);
  });

  test("runs of others are shown as far as their time is not after the event", async () => {
    const stamp = (offset: number): string => new Date(Date.parse(world.now()) + offset).toISOString();
    const row = (offset: number, name: string): string =>
      JSON.stringify({ generated_at: stamp(offset), goal_id: "alpha", classification: name, recommended_action: name });
    await run("a", "ours");
    const seq = await headSeq();
    const path = `${world.workspace.roots.runtime_root}/goals/alpha/runs/index.jsonl`;
    write(path, `${row(-60_000, "before")}\n${row(60_000, "after")}\n`);
    world.advance(3_600_000);
    const words = async (at?: string) =>
      (await value(world.app.history({ ...HISTORY, ...(at !== undefined && { at }) }))).runs.map((each) => each.classification);
    expect(await words()).toEqual(["after", "ours", "before"]);
    expect(await words(String(seq))).toEqual(["ours", "before"]);
    const status = await value(world.app.status({ ...STATUS, goalId: "alpha", at: String(seq) }));
    expect(status.run_count).toBe(2);
    expect(status.goals[0]?.future_runs).toBe(0);
  });

  test.each([
    ["0", "at_out_of_range"],
    ["99", "at_out_of_range"],
    ["2020-01-01T00:00:00Z", "at_out_of_range"],
    ["yesterday", "at_invalid"],
    ["-1", "at_invalid"],
  ])("%s is bad input: %s", async (at, code) => {
    await run("a", "progress");
    const last = await headSeq();
    for (const reply of [
      world.app.next({ ...NEXT, at }),
      world.app.status({ ...STATUS, goalId: "alpha", at }),
      world.app.history({ ...HISTORY, at }),
    ]) {
      const got = await reply;
      expect(got).toMatchObject({ kind: "bad_input", code });
      if (code === "at_out_of_range") expect(got).toMatchObject({ message: expect.stringContaining(`to ${last} (`) });
    }
  });

  test("needs a goal, and opens no turn", async () => {
    await run("a", "progress");
    for (const reply of [
      world.app.next({ ...NEXT, goalId: null, at: "1" }),
      world.app.status({ ...STATUS, at: "1" }),
      world.app.history({ ...HISTORY, goalId: null, at: "1" }),
      world.app.why({ ...WHY, goalId: null, at: "1" }),
    ]) {
      expect(await reply).toMatchObject({ kind: "bad_input", code: "at_needs_goal" });
    }
    expect(await world.app.next({ ...NEXT, turnInstanceId: "t", at: "1" })).toMatchObject({ code: "option_conflict" });
    expect(await world.app.next({ ...NEXT, goalId: "nope", at: "1" })).toMatchObject({ code: "unknown_goal" });
  });
});

test("P1 a goal with a long history is looked at from the last state that was kept", async () => {
  await begin("sqlite");
  try {
    await run("a", "first");
    const goal_id = "alpha" as GoalId;
    for (let count = 0; count < 120; count += 1) {
      await record(
        world.store,
        goal_id,
        [1, 2, 3, 4, 5].map((part) => nextAction(`${count}.${part}`)),
      );
    }
    const asked: number[] = [];
    const { store } = world.workspace;
    const counting = {
      ...store,
      events: async (query: Parameters<typeof store.events>[0]) => {
        const events = await store.events(query);
        asked.push(events.length);
        return events;
      },
    };
    const { lookBack } = await import("./past.ts");
    const last = await headSeq();
    for (const seq of [300, 400, last]) {
      asked.length = 0;
      const past = await value(lookBack({ ...world.workspace, store: counting }, { goalId: "alpha", at: String(seq) }));
      expect(past.head.seq).toBe(seq);
      expect(asked.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(260);
    }
  } finally {
    await world.close();
  }
});

test("P1 of next stays within the bytes of a decision", async () => {
  await begin("memory");
  await run("a", "progress");
  world.edit((text) => text.replaceAll("Build the", `Build ${"long ".repeat(900)}the`));
  world.advance(10_000);
  await run("a", "progress");
  expect(printedBytes(await value(world.app.next({ ...NEXT, at: String(await headSeq()) })))).toBeLessThanOrEqual(2048);
  await world.close();
});
