/** A store that format 1 wrote is brought up to date by whoever opens it first, and loses nothing. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openEngine, type SqliteDatabase } from "../../src/adapters/sqlite/engine.ts";
import { APPLICATION, FORMAT } from "../../src/adapters/sqlite/format.ts";
import { FORMAT_1 } from "../../src/adapters/sqlite/format-1.ts";
import { openStore } from "../../src/adapters/sqlite/store.ts";
import type { GoalEvent, GoalFact, TodoRecord } from "../../src/core/events.ts";
import { append, draftOf, type GoalDraft } from "../../src/core/goal/draft.ts";
import { foldJournal } from "../../src/core/goal/fold-journal.ts";
import { parseAgentId } from "../../src/core/id.ts";
import { frontierOf } from "../../src/core/next/frontier.ts";
import { added, at, goalId, leased, OPENED, REGISTRY, record, request, todo, todoId } from "./store-data.ts";

const G = goalId("g");
let root = "";

beforeEach(() => {
  root = join(mkdtempSync(join(tmpdir(), "loopx-format-")), "root");
  mkdirSync(root);
});

afterEach(() => {
  rmSync(join(root, ".."), { recursive: true });
});

const FACTS: readonly GoalFact[] = [
  OPENED,
  added(todo("needed")),
  added(todo("waits", { metadata: { depends_on: "todo_needed" } })),
  added(todo("free", { metadata: { claimed_by: "Agent One" }, priority: 1 })),
  added(todo("gated")),
  added(todo("gate", { role: "user", task_class: "user_gate", metadata: { unblocks_todo_id: "todo_gated" } })),
  added(todo("watch", { task_class: "continuous_monitor", metadata: { next_due_at: at(60) } })),
  added(todo("later", { status: "deferred", metadata: { resume_when: at(30) } })),
  { type: "todo.changed", data: { todo_id: todoId("free"), fields: { text: "Do it well" }, source: "file" } },
];

function written(more: readonly GoalFact[] = []): GoalDraft {
  const draft = draftOf(G, { head: null, todos: new Map() });
  append(draft, [...FACTS, ...more], { at: at(0) });
  return draft;
}

/** As the version that knew format 1 alone left it. */
function writeFormat1({ events, head, todos }: GoalDraft): void {
  const database = openEngine().open(join(root, "loopx.db"));
  database.exec(FORMAT_1);
  database.exec(`pragma application_id = ${APPLICATION}; pragma user_version = 1`);
  for (const event of events) insertEvent(database, event);
  const { fence, leases, turns, waits, unspent, spent, runtime_bytes, ...old } = head ?? expect.fail("no head");
  database.prepare("insert into goals values ('g', 1, ?, ?, ?)").run(old.seq, old.registry, JSON.stringify(old));
  for (const each of todos.values()) insertTodo(database, each);
  database.prepare("insert into bases values ('g', 'text', '[]', 'fp', ?, 3, null)").run(at(0));
  database.prepare("insert into receipts values ('g', 'turn-1', 'f', 1, 2, ?)").run(at(0));
  database.close();
}

function insertEvent(database: SqliteDatabase, { generation, seq, at: time, type, data }: GoalEvent): void {
  database
    .prepare("insert into events (goal_id, generation, seq, at, type, data) values ('g', ?, ?, ?, ?, ?)")
    .run(generation, seq, time, type, JSON.stringify(data));
}

function insertTodo(database: SqliteDatabase, { waits_for: _derived, ...each }: TodoRecord): void {
  database
    .prepare("insert into todos values ('g', ?, ?, 0, ?, ?, ?, ?, ?)")
    .run(
      each.todo_id,
      each.role,
      each.status,
      each.priority ?? 9,
      each.index,
      each.metadata["claimed_by"] ?? null,
      JSON.stringify(each),
    );
}

it.each(["read_write", "read_only"] as const)(
  "F4 holds what its journal gives, and everything that it held, %s",
  async (access) => {
    const draft = written();
    writeFormat1(draft);
    if (access === "read_only") await (await openStore({ runtime_root: root })).close();
    const store = await openStore({ runtime_root: root, access });
    expect(store.facts().format).toBe(FORMAT);
    const loaded = await store.load(request(G, { receipt: "turn-1" }));
    const folded = foldJournal(draft.events);
    expect(JSON.stringify(loaded.head)).toBe(JSON.stringify(folded.head));
    expect(new Map(loaded.todos)).toEqual(folded.todos);
    expect(loaded.base).toMatchObject({ text: "text", rendered_seq: 3 });
    expect(loaded.receipt).toMatchObject({ fingerprint: "f", seq: 2 });
    expect(await store.events({ goal_id: G, order: "oldest_first", limit: 99 })).toEqual(draft.events);
    await store.close();
  },
);

it("F4 finds old todos by what decides about them, and what waits for them", async () => {
  writeFormat1(written());
  const store = await openStore({ runtime_root: root });
  const query = { agent: null, now: at(10), limit: 9 };
  const { frontier } = await store.load(request(G, { todos: "none", frontier: query }));
  const { todos, head } = await store.load(request(G));
  expect(frontier).toEqual(frontierOf(todos.values(), query, head));
  expect(frontier?.work.map((each) => each.todo_id)).toEqual(["todo_free", "todo_needed"]);
  expect(frontier?.waiting.map((each) => each.todo_id)).toEqual(["todo_gated", "todo_waits"]);
  expect(frontier?.next_due_at).toBe(at(30));
  const { todos: linked } = await store.load(request(G, { todos: [todoId("needed"), todoId("gate")] }));
  expect([...linked.keys()]).toEqual(["todo_gate", "todo_gated", "todo_needed", "todo_waits"]);
  await record(store, G, [
    { type: "todo.changed", data: { todo_id: todoId("needed"), fields: { status: "done" }, source: "file" } },
  ]);
  expect((await store.load(request(G))).todos.get(todoId("waits"))).not.toHaveProperty("waits_for");
  await store.close();
});

it("F4 finds the goal by what was in it before", async () => {
  const owner = parseAgentId("a") ?? expect.fail("no agent id");
  writeFormat1(written([leased("free", owner)]));
  const store = await openStore({ runtime_root: root });
  expect(await store.goalsWith(REGISTRY, { kind: "todo", todo_id: todoId("gated") })).toEqual([G]);
  expect(await store.goalsWith(REGISTRY, { kind: "lease", owner, todo_id: null })).toEqual([G]);
  expect(await store.goalsWith(REGISTRY, { kind: "receipt", key: "turn-1" })).toEqual([G]);
  await store.close();
});
