// A goal whose texts are too large for the cache of views stands in every list all the same.
import { afterEach, beforeEach, expect, test } from "vitest";
import { G, verbsOn } from "../../test/fakes/todo-verbs.ts";
import { makeWorld, type World } from "../../test/fakes/workspace.ts";
import { isFolded, isShortened, isViewOf, storedKey, type ViewKey } from "./view-key.ts";

let of: World;
beforeEach(async () => {
  of = await makeWorld({ state: "## Objective\n\nShip it.\n\n## Agent Todo\n" });
});
afterEach(() => of.close());

const { run, add } = verbsOn(() => of);

test.each([
  ["letters", "x".repeat(10_000), 2],
  ["letters of two bytes", "é".repeat(9000), 1],
])("T4 with many %s it has its place in the queue and is counted, and is shown whole", async (_, text, todos) => {
  for (let at = 0; at < todos; at += 1) await add(`${at} ${text}`);
  const gate = (await run("gate", "add", ...G, "--text", "Answer me", "--global-gate")).answer.todo_id;
  for (const _again of [1, 2]) {
    of.advance(60_000);
    const { answer } = await run("status");
    expect(answer.counts).toMatchObject({ attention: 1, waiting_for_person: 1, open_todos: todos + 1 });
    expect(answer.attention_queue.map(({ goal_id }: { readonly goal_id: string }) => goal_id)).toEqual(["alpha"]);
  }
  const { answer } = await run("status", "--all");
  expect(JSON.stringify(answer)).toContain(text);
  await run("gate", "approve", gate);
  expect((await run("status")).answer.counts.waiting_for_person).toBe(0);
});

test("K3 a shortened view says so, and is no reason to make it anew", () => {
  const key: ViewKey = { plan: "p", whole: "p\nr" };
  for (const folded of [false, true]) {
    const short = { key: storedKey(key, { folded, whole: false }) };
    const whole = { key: storedKey(key, { folded, whole: true }) };
    expect([isShortened(short), isViewOf(short, key), isFolded(short, key)]).toEqual([true, true, folded]);
    expect([isShortened(whole), isViewOf(whole, key), isFolded(whole, key)]).toEqual([false, true, folded]);
    expect(isViewOf(short, { ...key, whole: "p\nmore" })).toBe(false);
  }
});
