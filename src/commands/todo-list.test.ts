// Lists of todos, the archive section, and what the verbs leave of a state file.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventsOf, type Json, takeIn } from "../../test/fakes/asks.ts";
import { loopxPage } from "../../test/fakes/cli.ts";
import { G, verbsOn } from "../../test/fakes/todo-verbs.ts";
import { makeWorld, STATE, type World } from "../../test/fakes/workspace.ts";
import { parsePlan } from "../core/plan/parse.ts";
import { printJson } from "../core/show/print-json.ts";

let of: World;
beforeEach(async () => {
  of = await makeWorld();
});
afterEach(() => of.close());

const { run, add, todo, line } = verbsOn(() => of);

describe("todo archive-completed", () => {
  async function closed(count: number): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let at = 0; at < count; at += 1) {
      const id = await add(`closed ${at}`);
      of.advance(60_000);
      await run("todo", "complete", id, "--no-follow-up", "--reason", "r");
      ids.push(id);
    }
    return ids;
  }

  test("moves the oldest, with all their lines, when it is told to", async () => {
    const [first = "", second = "", third = ""] = await closed(3);
    of.edit((text) => text.replace("- [x] closed 0\n", "- [x] closed 0\n  and more of it\n"));
    const preview = await run("todo", "archive-completed", ...G, "--max-active-done", "2");
    expect(preview.answer).toMatchObject({ dry_run: true, moved_count: 2, changed: false });
    const { answer } = await run("todo", "archive-completed", ...G, "--max-active-done", "2", "--execute");
    expect(answer).toMatchObject({ changed: true, moved_count: 2, active_done: 2 });
    const plan = parsePlan(of.text());
    const archived = plan.todos.filter((each) => each.archived);
    expect(archived.map(({ text }) => text)).toEqual(["Look around", "closed 0 and more of it"]);
    expect(archived[1]?.todo_id).toBe(first);
    expect(of.text()).toContain("## Completed Work Archive");
    expect(plan.todos.filter((each) => !each.archived && each.status === "done").map(({ todo_id }) => todo_id)).toEqual([
      second,
      third,
    ]);
    const events = (await eventsOf(of)).length;
    const text = of.text();
    of.advance(10_000);
    await takeIn(of);
    expect([(await eventsOf(of)).length, of.text()]).toEqual([events, text]);
    expect((await run("todo", "list", ...G, "--status", "archived")).answer.todo_count).toBe(2);
    expect((await run("todo", "reopen", first)).answer.code).toBe("todo_archived");
    await run("todo", "update", second, "--note", "later");
    expect(line(second)).toContain("note=later");
  });

  test("V1 V2 a person's todo gets its class, and an answer that holds for more stays", async () => {
    const review = (await run("todo", "list", ...G, "--role", "user")).answer.todos[0].todo_id;
    await run("todo", "complete", review);
    const { answer: wide } = await run(
      "gate",
      "add",
      ...G,
      "--text",
      "Write to prod?",
      "--decision-scope",
      "production:goal:alpha",
    );
    await run("gate", "approve", wide.todo_id);
    const { answer } = await run("todo", "archive-completed", ...G, "--max-active-done", "0", "--execute");
    expect(answer.moved).toContain(review);
    expect(answer.moved).not.toContain(wide.todo_id);
    expect(parsePlan(of.text()).todos.find(({ todo_id }) => todo_id === review)).toMatchObject({ archived: true, role: "user" });
  });
});

describe("todo list and show", () => {
  test("open first, then what is aside, then closed; paged", async () => {
    const all = (await run("todo", "list", ...G)).answer;
    expect(all.todos.map(({ text, status }: Json) => [text, status])).toEqual([
      ["[P1] Build the ground", "open"],
      ["Review the plan", "open"],
      ["Write it down", "open"],
      ["Look around", "done"],
    ]);
    expect([all.todo_count, all.left_out.todos]).toEqual([4, 0]);
    const first = (await run("todo", "list", ...G, "--limit", "3")).answer;
    expect([first.todos.length, first.left_out.todos]).toEqual([3, 1]);
    const rest = (await run("todo", "list", ...G, "--limit", "3", "--cursor", first.left_out.cursor)).answer;
    expect(rest.todos.map(({ text }: Json) => text)).toEqual(["Look around"]);
    expect((await run("todo", "list", ...G, "--status", "done")).answer.todo_count).toBe(1);
    expect((await run("todo", "list", ...G, "--role", "user")).answer.todo_count).toBe(1);
    expect((await run("todo", "list", ...G, "--todo-id", "todo_ground")).answer.todos).toHaveLength(1);
    expect((await run("todo", "list", ...G, "--todo-id", "todo_nowhere")).answer.todo_count).toBe(0);
    expect((await run("todo", "list", ...G, "--cursor", "x")).exit).toBe(2);
  });

  test.each([
    ["of the usual number of rows", [], "x"],
    ["of the number of rows that was asked for", ["--limit", "200"], "é"],
  ])("L1 a page %s has at most 8 KiB and says what it left out", async (_, limit, letter) => {
    for (let at = 0; at < 30; at += 1) await add(`${at} ${`long words${letter} `.repeat(100)}`);
    const { answer } = await run("todo", "list", ...G, ...limit);
    expect(Buffer.byteLength(printJson(answer))).toBeLessThanOrEqual(8192);
    expect(answer.todos.length).toBeGreaterThan(5);
    expect(answer.left_out.texts).toBeGreaterThan(0);
    expect(answer.left_out.todos).toBe(answer.todo_count - answer.todos.length);
    expect(answer.left_out.get[0].startsWith(["loopx todo list --goal-id alpha", ...limit, "--cursor todos."].join(" "))).toBe(
      true,
    );
    let seen = answer.todos.length;
    for (let { cursor } = answer.left_out; cursor !== null; ) {
      const page = (await run("todo", "list", ...G, ...limit, "--cursor", cursor)).answer;
      expect(Buffer.byteLength(printJson(page))).toBeLessThanOrEqual(8192);
      seen += page.todos.length;
      cursor = page.left_out.cursor;
    }
    expect(seen).toBe(answer.todo_count);
  });

  test("a read tells what a person changed, and writes nothing", async () => {
    await takeIn(of);
    const events = (await eventsOf(of)).length;
    of.edit((text) => text.replace("- [ ] Write it down", "- [ ] Write it up\n- [ ] And down"));
    const { answer } = await run("todo", "list", ...G, "--status", "open", "--role", "agent");
    expect(answer.todos.map(({ text }: Json) => text)).toEqual(["[P1] Build the ground", "Write it up", "And down"]);
    expect((await eventsOf(of)).length).toBe(events);
  });

  test("show is whole, and says why an agent cannot take it up", async () => {
    const id = await add("x", "--depends-on", "todo_ground");
    const { answer } = await run("todo", "show", id, "--agent-id", "ada");
    expect(answer).toMatchObject({ goal_id: "alpha", todo: { text: "x" }, why_not: { code: "waits_for", by: "todo_ground" } });
    expect((await run("todo", "show", "todo_nowhere")).exit).toBe(3);
    expect((await run("todo", "show", "nonsense")).answer.code).toBe("todo_id_invalid");
  });

  test("pages for people", async () => {
    const id = await add("x", "--depends-on", "todo_ground");
    expect(await loopxPage(of, "todo", "list", ...G)).toMatch(/# 5 todos of alpha\n\n\| todo \|/);
    expect(await loopxPage(of, "todo", "show", id)).toContain("- waits for `todo_ground`");
    expect(await loopxPage(of, "todo", "add", ...G, "--text", "y")).toMatch(/^# Added: y\n/);
    expect(await loopxPage(of, "todo", "add", ...G, "--text", "y")).toMatch(/^# Already there: y\n/);
    expect(await loopxPage(of, "todo", "complete", id, "--next", "z")).toMatch(/^# Closed: x\n[\s\S]*next: z/);
    expect(await loopxPage(of, "todo", "archive-completed", ...G)).toMatch(/^# 0 todos of alpha would move/);
  });
});

describe("the state file", () => {
  test("a hand edit between two commands stays, and both show", async () => {
    const id = await add("x");
    of.edit((text) => text.replace("- [ ] x\n", "- [ ] x, and more\n").replace("own_key=kept", "own_key=changed"));
    await run("todo", "update", id, "--note", "n");
    expect(line(id)).toContain("- [ ] x, and more\n");
    expect(line(id)).toContain("note=n");
    expect(of.text()).toContain("own_key=changed");
    of.edit((text) => text.replace("note=n", "note=mine"));
    await run("todo", "update", id, "--priority", "3");
    expect(await todo(id)).toMatchObject({ text: "[P3] x, and more", metadata: { note: "mine" } });
    const kinds = (await eventsOf(of)).map(({ type }) => type);
    expect(kinds).not.toContain("plan.conflict");
  });
});

test.each([
  ["CRLF", STATE.replaceAll("\n", "\r\n")],
  ["a BOM", `\ufeff${STATE}`],
  ["no line at the end", STATE.trimEnd()],
  ["tabs and stars", STATE.replaceAll("  <!--", "\t<!--").replaceAll("- [", "* [")],
])("every verb keeps the other bytes of a file with %s", async (_, state) => {
  await of.close();
  of = await makeWorld({ store: "sqlite", state });
  const id = await add("x");
  for (const verb of [
    ["update", id, "--note", "n", "--priority", "1"],
    ["block", id, "--reason", "r"],
    ["reopen", id],
    ["defer", id, "--until", "2030-01-01"],
    ["reopen", id],
    ["complete", id, "--next", "y"],
  ]) {
    expect((await run("todo", ...verb)).exit).toBe(0);
  }
  const kept = (text: string): readonly string[] => text.split("\n").filter((each) => !each.includes("updated_at"));
  const after = of.text();
  for (const each of kept(state)) expect(after).toContain(each);
  if (state.includes("\r\n")) expect(after.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  expect(after.startsWith("\ufeff")).toBe(state.startsWith("\ufeff"));
  expect(after.endsWith("\n")).toBe(state.endsWith("\n"));
});
