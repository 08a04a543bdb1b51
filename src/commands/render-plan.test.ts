// What LoopX writes into a person's state file: the text of it.
import { readFileSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { driftKinds, eventsOf, goalOf, type Json, say, takeIn } from "../../test/fakes/asks.ts";
import { G, verbsOn } from "../../test/fakes/todo-verbs.ts";
import { DRIFT, makeWorld, STATE, type StoreKind, type World, type WorldOptions } from "../../test/fakes/workspace.ts";
import { editableFiles } from "../adapters/files/editable-files.ts";
import type { EditableFiles } from "../ports/files.ts";

const worlds: World[] = [];

async function world(options: WorldOptions = {}): Promise<World> {
  const made = await makeWorld(options);
  worlds.push(made);
  return made;
}

afterEach(async () => {
  for (const each of worlds.splice(0)) await each.close();
});

/** What may differ after Next Action was written: its own line and the time of the update. */
function withoutOwned(text: string): string {
  return text.replace(/^- (?:Begin\.|Second\.)(\r?)$/m, "- *$1").replace(/updated_at: .*?(\r?)$/m, "updated_at: *$1");
}

describe.each<StoreKind>(["memory", "sqlite"])("with the %s store", (store) => {
  test.each<[string, string]>([
    ["LF", STATE],
    ["CRLF", STATE.replaceAll("\n", "\r\n")],
    ["a byte order mark", `\ufeff${STATE}`],
    ["CRLF and a byte order mark", `\ufeff${STATE.replaceAll("\n", "\r\n")}`],
    ["no line ending at the end", STATE.trimEnd()],
    ["mixed line endings", STATE.replaceAll("\n\n", "\r\n\n")],
  ])("every other byte of a file with %s stays", async (_, state) => {
    const of = await world({ store, state });
    const { active_state_next_action_update } = await say(of, "Second.");
    expect(active_state_next_action_update).toMatchObject({ updated: true });
    expect(of.text()).not.toBe(state);
    expect(of.text()).toContain("- Second.");
    expect(withoutOwned(of.text())).toBe(withoutOwned(state));
    expect(await goalOf(of)).toMatchObject({ next_action: "Second." });
    const once = of.text();
    of.advance(60_000);
    await say(of, "Second.");
    await takeIn(of);
    expect(of.text()).toBe(once);
  });

  test.each(["__proto__", "constructor", "note"])("a key named %s that a person takes out of a todo stays out", async (key) => {
    const bare = STATE.replace("## Agent Todo\n\n", "## Agent Todo\n\n- [ ] Odd\n");
    const of = await world({ store, state: bare.replace("- [ ] Odd\n", `- [ ] Odd\n<!-- loopx:todo ${key}=x -->\n`) });
    await say(of, "Second.");
    expect(of.text()).toContain(`<!-- loopx:todo ${key}=x`);
    of.edit((text) => text.replace(/<!-- loopx:todo .*-->\n/, ""));
    of.advance(60_000);
    await say(of, "Third.");
    expect(of.text()).not.toContain(key);
    expect(of.text()).toContain("- Third.");
  });

  test("a file without the section gets it, and nothing else changes", async () => {
    const state = STATE.replace("## Next Action\n\n- Begin.\n\n", "");
    const of = await world({ store, state });
    await say(of, "Second.");
    expect(of.text()).toContain("## Next Action\n\n- Second.\n");
    for (const line of state.split("\n")) if (!line.startsWith("updated_at")) expect(of.text().split("\n")).toContain(line);
    expect(await goalOf(of)).toMatchObject({ next_action: "Second.", todos: { open: 3, done: 1 } });
  });

  test("what a person changed elsewhere meanwhile stays and is taken in by the same command", async () => {
    const of = await world({ store });
    await takeIn(of);
    of.edit((text) => `${text}- [ ] One more thing\n`.replace("nobody's", "somebody's"));
    await say(of, "Second.");
    expect(of.text()).toContain("- [ ] One more thing\n");
    expect(of.text()).toContain("somebody's");
    expect(of.text()).toContain("- Second.");
    expect(await goalOf(of)).toMatchObject({ next_action: "Second.", todos: { open: 4 } });
  });

  test("a rendering that was never made is due until another command makes it, a read first shows it", async () => {
    const of = await world({ store, files: { replaceFile: refusing(1) } });
    const before = of.text();
    const answer = await say(of, "Second.");
    expect(answer).toMatchObject({ ok: true, active_state_next_action_update: { updated: false } });
    expect(answer.warnings).toMatchObject([{ path: of.stateFile, code: "test_refused" }]);
    expect(of.text()).toBe(before);
    expect(await goalOf(of)).toMatchObject({ next_action: "Second." });
    expect(of.text()).toBe(before);
    await takeIn(of);
    expect(of.text()).toContain("- Second.");
    expect((await eventsOf(of)).filter((event) => event.type === "plan.next_action_set")).toHaveLength(2);
  });

  test("both sides change Next Action: the person's text stays, both are kept, drift shows it, saying it again settles it", async () => {
    const of = await world({ store, files: { replaceFile: refusing(1) } });
    await takeIn(of);
    await say(of, "Ours.");
    of.edit((text) => text.replace("- Begin.", "- Theirs."));
    await takeIn(of);
    expect(of.text()).toContain("- Theirs.");
    expect(of.text()).not.toContain("Ours.");
    expect((await eventsOf(of)).at(-1)).toMatchObject({
      type: "plan.conflict",
      data: { field: "next_action", ours: "Ours.", theirs: "Theirs." },
    });
    expect(await goalOf(of)).toMatchObject({ next_action: "Theirs.", conflicts: [{ ours: "Ours.", theirs: "Theirs." }] });
    expect(await driftKinds(of)).toContain("plan_conflict");
    const settled = of.text();
    await takeIn(of);
    expect(of.text()).toBe(settled);
    await say(of, "Theirs.");
    expect(await goalOf(of)).toMatchObject({ conflicts: [] });
    expect(await driftKinds(of)).not.toContain("plan_conflict");
    expect(of.text()).toContain("- Theirs.");
  });

  test("the command that drift names for a conflict settles it", async () => {
    const of = await world({ store, files: { replaceFile: refusing(1) } });
    await takeIn(of);
    await say(of, "Ours.");
    of.edit((text) => text.replace("- Begin.", "- Theirs."));
    await takeIn(of);
    const reply: Json = await of.app.drift(DRIFT);
    const { fix } = reply.value.drift.find((entry: Json) => entry.kind === "plan_conflict");
    expect(fix).toMatchObject({ command: "loopx drift --goal-id alpha --fix", safe: true });
    const fixed: Json = await of.app.drift({ ...DRIFT, fix: true });
    expect(fixed.value).toMatchObject({ fixed: [{ kind: "plan_conflict", outcome: "fixed" }] });
    expect(await driftKinds(of)).not.toContain("plan_conflict");
    expect(of.text()).toContain("- Theirs.");
    expect(await goalOf(of)).toMatchObject({ next_action: "Theirs.", conflicts: [] });
  });

  test("U1 what is withheld is not written back by a rendering", async () => {
    const of = await world({ store });
    await takeIn(of);
    of.edit((text) => text.replace("- [ ] Write it down\n", ""));
    await say(of, "Second.");
    expect(of.text()).toContain("- Second.");
    expect(of.text()).not.toContain("Write it down");
    expect(await goalOf(of)).toMatchObject({ todos: { open: 3 }, withheld: [{ kind: "todo_missing" }] });
    of.advance(5000);
    await takeIn(of);
    of.advance(5000);
    await takeIn(of);
    expect(await goalOf(of)).toMatchObject({ todos: { open: 2 }, withheld: [] });
    expect(of.text()).not.toContain("Write it down");
  });

  test("C2 P2 a file that was cut is not completed by a rendering: it stays due until the text is back", async () => {
    const of = await world({ store });
    await takeIn(of);
    const whole = of.text();
    of.save("");
    const answer = await say(of, "Second.");
    expect(answer.active_state_next_action_update).toMatchObject({ updated: false });
    expect(answer.warnings).toMatchObject([{ path: of.stateFile, code: "state_file_shrunk" }]);
    expect(of.text()).toBe("");
    of.save(whole);
    await takeIn(of);
    expect(of.text()).toContain("- Second.");
    expect(await goalOf(of)).toMatchObject({ next_action: "Second.", todos: { open: 3 } });
  });

  test("P1 what is saved between reading and replacing is merged, not overwritten", async () => {
    const saves = ["- [ ] First save\n", "- [ ] Second save\n"];
    const of: World = await world({
      store,
      files: {
        replaceFile: (replacement) => {
          const more = saves.shift();
          if (more !== undefined) writeFileSync(replacement.path, readFileSync(replacement.path, "utf8") + more);
          return editableFiles.replaceFile(replacement);
        },
      },
    });
    await takeIn(of);
    expect(await say(of, "Second.")).toMatchObject({ active_state_next_action_update: { updated: true }, warnings: [] });
    expect(of.text()).toContain("- [ ] First save\n- [ ] Second save\n");
    expect(of.text()).toContain("- Second.");
    expect(await goalOf(of)).toMatchObject({ next_action: "Second.", todos: { open: 5 } });
  });

  test("P3 what two say at once is shown by whoever comes to it, all of it, and both hear so", async () => {
    let replaced = 0;
    const of: World = await world({
      store,
      files: {
        replaceFile: (replacement) => {
          replaced += 1;
          return editableFiles.replaceFile(replacement);
        },
      },
    });
    await takeIn(of);
    const { run } = verbsOn(() => of);
    const texts = Array.from({ length: 6 }, (_, at) => `Todo number ${at}`);
    const adding = texts.map((text) => run("todo", "add", ...G, "--role", "agent", "--text", text));
    expect((await Promise.all(adding)).map(({ exit, answer }) => [exit, answer.warnings ?? []])).toEqual(
      texts.map(() => [0, []]),
    );
    for (const text of texts) expect(of.text()).toContain(`- [ ] ${text}`);
    expect(replaced).toBeLessThan(texts.length);
    expect((await goalOf(of)).todos.open).toBe(3 + texts.length);
    const before = (await eventsOf(of)).length;
    await takeIn(of);
    expect([(await eventsOf(of)).length, replaced < texts.length]).toEqual([before, true]);
  });

  test("P3 what the journal says between making a text and giving it the name is shown next, not lost", async () => {
    let meanwhile = (): void => {};
    const of: World = await world({
      store,
      files: {
        prepareText: (replacement) => {
          meanwhile();
          return editableFiles.prepareText(replacement);
        },
      },
    });
    await takeIn(of);
    let other: Promise<Json> | null = null;
    meanwhile = () => {
      meanwhile = () => {};
      other = say(of, "Third.");
    };
    expect(await say(of, "Second.")).toMatchObject({ active_state_next_action_update: { updated: true }, warnings: [] });
    expect(await other).toMatchObject({ active_state_next_action_update: { updated: true }, warnings: [] });
    expect(of.text()).toContain("- Third.");
    expect(of.text()).not.toContain("- Second.");
    expect(await goalOf(of)).toMatchObject({ next_action: "Third." });
  });

  test("a person who keeps saving is never overwritten, and the command still ends", async () => {
    let saves = 0;
    let isSaving = true;
    const of: World = await world({
      store,
      files: {
        replaceFile: (replacement) => {
          if (isSaving) writeFileSync(replacement.path, `${readFileSync(replacement.path, "utf8")}- [ ] Save ${++saves}\n`);
          return editableFiles.replaceFile(replacement);
        },
      },
    });
    const answer = await say(of, "Second.");
    expect(answer.warnings).toMatchObject([{ code: "file_keeps_changing" }]);
    expect(saves).toBeGreaterThan(2);
    for (let save = 1; save <= saves; save += 1) expect(of.text()).toContain(`- [ ] Save ${save}\n`);
    isSaving = false;
    await takeIn(of);
    expect(of.text()).toContain("- Second.");
    for (let save = 1; save <= saves; save += 1) expect(of.text()).toContain(`- [ ] Save ${save}\n`);
  });
});

/** The first `times` replacements are refused, as on a file that may not be written. */
function refusing(times: number): EditableFiles["replaceFile"] {
  let left = times;
  return (replacement) => {
    if (left <= 0) return editableFiles.replaceFile(replacement);
    left -= 1;
    return { kind: "refused", problem: { path: replacement.path, code: "test_refused", message: "not now" } };
  };
}
