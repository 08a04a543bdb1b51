// What a person does to the state file, as the use cases answer it: both stores, real files, a clock that stands still.
import { afterEach, describe, expect, test } from "vitest";
import { driftKinds, eventsOf, goalOf, type Json, rowOf, takeIn } from "../../test/fakes/asks.ts";
import { makeWorld, REFRESH, type StoreKind, type World } from "../../test/fakes/workspace.ts";

const worlds: World[] = [];

async function world(store: StoreKind, state?: string): Promise<World> {
  const made = await makeWorld({ store, ...(state !== undefined && { state }) });
  worlds.push(made);
  return made;
}

afterEach(async () => {
  for (const each of worlds.splice(0)) await each.close();
});

describe.each<StoreKind>(["memory", "sqlite"])("with the %s store", (store) => {
  test("the first contact takes in everything the file says, once", async () => {
    const of = await world(store);
    expect(await takeIn(of)).toMatchObject({ refreshed: [{ goal_id: "alpha", events: 6 }] });
    expect((await eventsOf(of)).map((event) => event.type)).toEqual([
      "goal.opened",
      "todo.added",
      "todo.added",
      "todo.added",
      "todo.added",
      "plan.next_action_set",
    ]);
    expect(await takeIn(of)).toMatchObject({ refreshed: [] });
    expect(await eventsOf(of)).toHaveLength(6);
    expect(await rowOf(of)).toMatchObject({
      next_action: "Begin.",
      todos: { open: 3, done: 1, waiting_for_person: 1 },
      drift: [],
      problems: [],
    });
  });

  test("the first contact leaves the file as it is", async () => {
    const of = await world(store);
    const before = of.text();
    await takeIn(of);
    await of.app.refresh(REFRESH);
    expect(of.text()).toBe(before);
  });

  test.each<[string, (text: string) => string, object, readonly string[]]>([
    ["a todo's text", (text) => text.replace("Write it down", "Write it up"), { todos: { open: 3, done: 1 } }, ["todo.changed"]],
    ["a checkbox", (text) => text.replace("- [ ] Write", "- [x] Write"), { todos: { open: 2, done: 2 } }, ["todo.changed"]],
    [
      "a status in metadata",
      (text) => text.replace("status=open", "status=blocked"),
      { todos: { open: 2, blocked: 1, done: 1 } },
      ["todo.changed"],
    ],
    [
      "metadata nobody knows",
      (text) => text.replace("own_key=kept", "own_key=other"),
      { todos: { open: 3, done: 1 } },
      ["todo.changed"],
    ],
    [
      "the order",
      (text) => text.replace("- [ ] Write it down\n- [x] Look around\n", "- [x] Look around\n- [ ] Write it down\n"),
      { todos: { open: 3, done: 1 } },
      ["todo.changed"],
    ],
    ["a todo without an id", (text) => `${text}- [ ] One more thing\n`, { todos: { open: 4, done: 1 } }, ["todo.added"]],
    ["Next Action", (text) => text.replace("- Begin.", "- Go on."), { next_action: "Go on." }, ["plan.next_action_set"]],
    ["prose", (text) => text.replace("nobody's", "somebody's"), { next_action: "Begin.", todos: { open: 3, done: 1 } }, []],
  ])("a person changes %s: a read shows it, a write takes it in, both say the same", async (_, change, expected, types) => {
    const of = await world(store);
    await takeIn(of);
    const known = (await eventsOf(of)).length;
    of.edit(change);
    const edited = of.text();
    const read = await rowOf(of);
    expect(read).toMatchObject(expected);
    expect(await eventsOf(of)).toHaveLength(known);
    await takeIn(of);
    expect((await eventsOf(of, "alpha", known)).map((event) => event.type)).toEqual(types);
    expect(await rowOf(of)).toEqual(read);
    expect(of.text()).toBe(edited);
    expect(await driftKinds(of)).toEqual([]);
  });

  test("a todo keeps its id when its text changes", async () => {
    const of = await world(store);
    await takeIn(of);
    const before = (await goalOf(of)).todos.next_for_agents.map((todo: Json) => todo.todo_id);
    of.edit((text) => text.replace("Write it down", "Write it up"));
    await takeIn(of);
    const after = (await goalOf(of)).todos.next_for_agents;
    expect(after.map((todo: Json) => todo.todo_id)).toEqual(before);
    expect(after.map((todo: Json) => todo.text)).toContain("Write it up");
  });

  test("C1 a todo that is gone is withheld first, and withdrawn when the same file is seen two seconds later", async () => {
    const of = await world(store);
    await takeIn(of);
    const known = (await eventsOf(of)).length;
    of.edit((text) => text.replace("- [ ] Write it down\n", ""));
    await takeIn(of);
    expect(await eventsOf(of, "alpha", known)).toEqual([]);
    expect((await goalOf(of)).withheld).toMatchObject([{ kind: "todo_missing", todo_ids: [expect.any(String)] }]);
    expect(await rowOf(of)).toMatchObject({ todos: { open: 3 } });
    of.advance(1999);
    await takeIn(of);
    expect(await eventsOf(of, "alpha", known)).toEqual([]);
    of.advance(1);
    await takeIn(of);
    expect((await eventsOf(of, "alpha", known)).map((event) => event.type)).toEqual(["todo.withdrawn"]);
    expect((await goalOf(of)).withheld).toEqual([]);
    expect(await rowOf(of)).toMatchObject({ todos: { open: 2 } });
  });

  test("C1 reads alone see it twice too: the second read folds the withdrawal", async () => {
    const of = await world(store);
    await takeIn(of);
    of.edit((text) => text.replace("- [ ] Write it down\n", ""));
    expect(await rowOf(of)).toMatchObject({ todos: { open: 3 } });
    of.advance(2000);
    const read = await rowOf(of);
    expect(read).toMatchObject({ todos: { open: 2 } });
    await takeIn(of);
    expect(await rowOf(of)).toEqual(read);
  });

  test("C1 the two seconds begin anew with every other version of the file", async () => {
    const of = await world(store);
    await takeIn(of);
    const known = (await eventsOf(of)).length;
    of.edit((text) => text.replace("- [ ] Write it down\n", ""));
    await takeIn(of);
    of.advance(1500);
    of.edit((text) => text.replace("nobody's", "somebody's"));
    await takeIn(of);
    of.advance(1500);
    await takeIn(of);
    expect(await eventsOf(of, "alpha", known)).toEqual([]);
    of.advance(500);
    await takeIn(of);
    expect((await eventsOf(of, "alpha", known)).map((event) => event.type)).toEqual(["todo.withdrawn"]);
  });

  test("C1 a todo that comes back before it was withdrawn never left", async () => {
    const of = await world(store);
    await takeIn(of);
    const known = (await eventsOf(of)).length;
    const whole = of.text();
    of.edit((text) => text.replace("- [ ] Write it down\n", ""));
    await takeIn(of);
    of.save(whole);
    of.advance(5000);
    await takeIn(of);
    expect(await eventsOf(of, "alpha", known)).toEqual([]);
    expect((await goalOf(of)).withheld).toEqual([]);
  });

  test("C1 a todo whose heading is gone too is never withdrawn", async () => {
    const of = await world(store);
    await takeIn(of);
    const known = (await eventsOf(of)).length;
    of.edit((text) => text.slice(0, text.indexOf("## User Todo")).concat(text.slice(text.indexOf("## Agent Todo"))));
    for (let times = 0; times < 3; times += 1) {
      await takeIn(of);
      of.advance(5000);
    }
    expect(await eventsOf(of, "alpha", known)).toEqual([]);
    expect((await goalOf(of)).withheld).toMatchObject([{ kind: "heading_missing", todo_ids: [expect.any(String)] }]);
    expect(await rowOf(of)).toMatchObject({ todos: { open: 3, waiting_for_person: 1 } });
    expect(await driftKinds(of)).not.toEqual([]);
  });

  test.each<[string, (text: string) => string]>([
    ["emptied", () => ""],
    ["blank", () => "\n\n"],
    ["cut in the middle", (text) => text.slice(0, text.indexOf("## Agent"))],
    ["cut by one byte", (text) => text.slice(0, -1)],
    ["cut inside the front matter", (text) => text.slice(0, 10)],
  ])("C2 a file that is %s loses nothing, is drift, and is whole again when the text is back", async (_, cut) => {
    const of = await world(store);
    await takeIn(of);
    const known = (await eventsOf(of)).length;
    const whole = of.text();
    const before = await rowOf(of);
    of.edit(cut);
    for (let times = 0; times < 3; times += 1) {
      await takeIn(of);
      of.advance(5000);
    }
    expect(await eventsOf(of, "alpha", known)).toEqual([]);
    expect(await rowOf(of)).toMatchObject({ next_action: before.next_action, todos: before.todos });
    expect((await goalOf(of)).withheld).toMatchObject([{ kind: "file_shrunk" }]);
    expect(await driftKinds(of)).not.toEqual([]);
    of.save(whole);
    await takeIn(of);
    expect(await eventsOf(of, "alpha", known)).toEqual([]);
    expect(await rowOf(of)).toEqual(before);
  });

  test("C3 Next Action that is gone stays until it was missed twice", async () => {
    const of = await world(store);
    await takeIn(of);
    const known = (await eventsOf(of)).length;
    of.edit((text) => text.replace("## Next Action\n\n- Begin.\n\n", ""));
    await takeIn(of);
    expect(await rowOf(of)).toMatchObject({ next_action: "Begin." });
    of.advance(2000);
    await takeIn(of);
    expect(await eventsOf(of, "alpha", known)).toMatchObject([
      { type: "plan.next_action_set", data: { entries: null, source: "file" } },
    ]);
    expect(await rowOf(of)).toMatchObject({ next_action: null });
  });

  test("C4 what a headless version lacked is still expected after a read of a later one", async () => {
    const of = await world(store);
    await of.app.refresh({ ...REFRESH, nextAction: "Go on." });
    const whole = of.text();
    of.save("nothing of it\n");
    await takeIn(of);
    of.save(whole.replace("Go on.", "Theirs.").replace("Write it down", "Write it up"));
    const known = (await eventsOf(of)).length;
    const read = await goalOf(of);
    expect(read).toMatchObject({ next_action: "Theirs.", conflicts: [], withheld: [] });
    await takeIn(of);
    expect((await eventsOf(of, "alpha", known)).map((event) => event.type)).toEqual(["todo.changed", "plan.next_action_set"]);
    expect(await goalOf(of)).toMatchObject({ next_action: "Theirs.", conflicts: [], todos: read.todos });
  });

  test("C4 so it is when the file is cut short in between", async () => {
    const of = await world(store);
    await of.app.refresh({ ...REFRESH, nextAction: "Go on." });
    const whole = of.text();
    of.save("nothing of it\n");
    await takeIn(of);
    of.save("");
    await takeIn(of);
    of.save(whole.replace("Write it down", "Write it up"));
    const known = (await eventsOf(of)).length;
    await takeIn(of);
    expect((await eventsOf(of, "alpha", known)).map((event) => event.type)).toEqual(["todo.changed"]);
    expect(await goalOf(of)).toMatchObject({ next_action: "Go on.", conflicts: [], todos: { open: 3, done: 1 } });
  });

  test("C4 a read leaves the order of what is lacked, by which a reworded todo is known", async () => {
    const of = await world(store);
    await takeIn(of);
    of.save("nothing of it\n");
    await takeIn(of);
    of.save("## Agent Todo\n- [ ] Reworded");
    const read = await goalOf(of);
    await takeIn(of);
    expect((await goalOf(of)).todos).toEqual(read.todos);
  });

  test("T1 a file that cannot be read is told with its place and takes nothing away", async () => {
    const of = await world(store);
    await takeIn(of);
    const known = (await eventsOf(of)).length;
    of.save(`${of.text()}\u0000`);
    await takeIn(of);
    expect(await eventsOf(of, "alpha", known)).toEqual([]);
    const read = await rowOf(of);
    expect(read).toMatchObject({ next_action: "Begin.", todos: { open: 3 } });
    expect(read.problems).toMatchObject([{ path: of.stateFile, line: expect.any(Number) }]);
    expect(await of.app.refresh(REFRESH)).toMatchObject({ kind: "bad_input", problems: [{ path: of.stateFile }] });
  });

  test("a goal's entry that is stopped by hand is stopped, and active again when it is set back", async () => {
    const of = await world(store);
    await takeIn(of);
    const { readFileSync, writeFileSync } = await import("node:fs");
    const active = readFileSync(of.registryPath, "utf8");
    writeFileSync(of.registryPath, active.replace('"domain"', '"activation": {"state": "stopped", "reason": "rest"}, "domain"'));
    const read = await rowOf(of);
    expect(read).toMatchObject({ activation: "stopped", activation_reason: "rest" });
    expect(await of.app.refresh(REFRESH)).toMatchObject({ kind: "refusal", code: "goal_stopped" });
    await takeIn(of);
    expect(await rowOf(of)).toMatchObject({ activation: "stopped" });
    writeFileSync(of.registryPath, active);
    expect(await of.app.refresh(REFRESH)).toMatchObject({ kind: "done" });
    expect((await eventsOf(of)).map((event) => event.type).slice(-3)).toEqual(["goal.stopped", "goal.activated", "run.recorded"]);
  });
});
