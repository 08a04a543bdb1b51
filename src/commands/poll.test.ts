// What is looked up: monitors, conditions that a command finds out, monitors whose time is up.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventsOf, type Json } from "../../test/fakes/asks.ts";
import { loopxPage } from "../../test/fakes/cli.ts";
import { G, verbsOn } from "../../test/fakes/todo-verbs.ts";
import { makeWorld, type World } from "../../test/fakes/workspace.ts";

let of: World;
beforeEach(async () => {
  of = await makeWorld();
});
afterEach(() => of.close());

const { run, add, todo, line, register } = verbsOn(() => of);

const node = (script: string): string => JSON.stringify([process.execPath, "-e", script]);

async function monitor(text: string, ...more: readonly string[]): Promise<string> {
  return await add(text, "--task-class", "continuous_monitor", "--watch-only", ...more);
}

describe("a monitor that somebody looked at", () => {
  test("M1 M2 is set on, and its unchanged looks are counted", async () => {
    const id = await monitor("Watch", "--cadence", "30m", "--target-key", "ci");
    const first = await run("poll", "--todo-id", id, "--result-hash", "h1");
    expect(first.answer.polled).toMatchObject([
      { todo_id: id, target_key: "ci", result_hash: "h1", changed: true, consecutive_no_change: 0 },
    ]);
    of.advance(60_000);
    const second = await run("poll", ...G, "--target-key", "ci", "--result-hash", "h1");
    expect(second.answer.polled).toMatchObject([{ changed: false, consecutive_no_change: 1 }]);
    expect(line(id)).toContain("consecutive_no_change=1 material_change=false");
    const third = await run("poll", "--todo-id", id, "--result-hash", "h2", "--material-change=false");
    expect(third.answer.polled).toMatchObject([{ changed: false, consecutive_no_change: 2 }]);
    expect((await eventsOf(of)).filter(({ type }) => type === "monitor.polled")).toHaveLength(3);
  });

  test.each<[string, (id: string) => readonly string[], string, number]>([
    ["nothing seen", (id) => ["--todo-id", id], "result_hash_required", 2],
    ["a hash that is none", (id) => ["--todo-id", id, "--result-hash", "a b"], "result_hash_invalid", 2],
    ["no such target", () => [...G, "--target-key", "x", "--result-hash", "h"], "unknown_todo", 3],
    ["a target of no goal", () => ["--target-key", "x", "--result-hash", "h"], "option_missing", 2],
    ["work", () => ["--todo-id", "todo_ground", "--result-hash", "h"], "not_a_monitor", 1],
    ["work, with nothing seen", () => ["--todo-id", "todo_ground"], "not_a_monitor", 1],
    ["an id that is none", () => ["--todo-id", "x"], "todo_id_invalid", 2],
  ])("%s", async (_, argv, code, status) => {
    const id = await monitor("Watch", "--target-key", "ci");
    const { exit, answer } = await run("poll", ...argv(id));
    expect([answer.code, exit]).toEqual([code, status]);
  });

  test("P1 quota monitor-poll previews, and adds once what follows from a change", async () => {
    const id = await monitor("Watch", "--cadence", "30m", "--target-key", "ci");
    const seen = [
      "quota",
      "monitor-poll",
      ...G,
      "--target-key",
      "ci",
      "--result-hash",
      "h1",
      "--next-agent-todo",
      "[P1] Mend it",
    ];
    const before = (await eventsOf(of)).length;
    const preview = (await run(...seen)).answer;
    expect(preview).toMatchObject({ dry_run: true, appended: false, monitor_target: { todo_id: id, changed: true } });
    expect((await eventsOf(of)).length).toBe(before);
    const { answer } = await run(...seen, "--next-task-class", "advancement_task", "--execute");
    expect(answer).toMatchObject({ appended: true, goal_id: "alpha", monitor_target: { target_key: "ci", result_hash: "h1" } });
    const [next] = answer.monitor_target.next_todos;
    expect(await todo(next)).toMatchObject({ text: "[P1] Mend it", task_class: "advancement_task", status: "open" });
    const again = (await run(...seen, "--execute")).answer;
    expect(again.monitor_target).toMatchObject({ changed: false, consecutive_no_change: 1, next_todos: [] });
    expect((await run(...seen, "--next-user-todo", "Look", "--execute")).answer.code).toBe("task_class_required");
    const nameless = await run("quota", "monitor-poll", ...G, "--result-hash", "h");
    expect([nameless.exit, nameless.answer.code]).toEqual([2, "option_missing"]);
    const both = await run(...seen, "--execute", "--dry-run");
    expect([both.exit, both.answer.code]).toEqual([2, "option_conflict"]);
  });

  test("two monitors of one target are told apart", async () => {
    await monitor("One", "--target-key", "ci");
    await monitor("Two", "--target-key", "ci");
    const { answer } = await run("poll", ...G, "--target-key", "ci", "--result-hash", "h");
    expect([answer.code, answer.near.length]).toEqual(["todo_ambiguous", 2]);
  });

  test("L2 a goal whose folder is full takes no looks, and still ends what is over", async () => {
    const id = await monitor("Watch");
    const over = await add("Over", "--task-class", "continuous_monitor", "--expires-at", "2001-01-01");
    register({ quota: { limits: { max_runtime_bytes: 10 } } });
    const { exit, answer } = await run("poll", "--todo-id", id, "--result-hash", "h");
    expect([exit, answer.code]).toEqual([1, "limit_runtime_bytes"]);
    expect((await run("poll", ...G)).answer.ended).toEqual([{ goal_id: "alpha", todo_id: over }]);
  });
});

describe("what is due", () => {
  test("K2 a monitor with a command of its own looks by itself, when it is due", async () => {
    const id = await monitor("Watch", "--cadence", "10m", "--run", node("process.stdout.write('same')"));
    const first = (await run("poll", ...G)).answer;
    expect(first.polled).toMatchObject([{ todo_id: id, changed: true, ran: { outcome: "exited", exit_code: 0 } }]);
    expect((await run("poll", ...G)).answer.polled).toEqual([]);
    of.advance(11 * 60_000);
    expect((await run("poll", ...G)).answer.polled).toMatchObject([{ changed: false, consecutive_no_change: 1 }]);
    expect((await run("poll", "--todo-id", id)).answer.polled).toMatchObject([{ consecutive_no_change: 2 }]);
  });

  test("K2 a condition is met when its command ends with 0", async () => {
    const file = join(of.project, "ready");
    const script = `process.exit(require('fs').existsSync(${JSON.stringify(file)}) ? 0 : 3)`;
    const id = await add("go on", "--resume-when", `command:${node(script)}`);
    const waits = (await run("poll", ...G)).answer;
    expect(waits).toMatchObject({ woken: [], not_met: [{ todo_id: id, ran: { exit_code: 3 } }] });
    writeFileSync(file, "");
    expect((await run("poll", ...G)).answer.woken).toEqual([{ goal_id: "alpha", todo_id: id }]);
    expect(await todo(id)).toMatchObject({ wake_met: true });
    expect((await run("poll", ...G)).answer).toMatchObject({ woken: [], not_met: [] });
  });

  test("a command that cannot be started is told, and nothing is recorded", async () => {
    await monitor("Watch", "--run", '["no-such-program-here"]');
    const events = (await eventsOf(of)).length;
    expect((await run("poll", ...G)).answer.polled).toMatchObject([{ result_hash: null, ran: { outcome: "not_started" } }]);
    expect((await eventsOf(of)).length).toBe(events);
  });

  test("K1 a command that a person wrote badly is not run", async () => {
    await add("x");
    of.edit((text) => text.replace("- [ ] Write it down", "- [ ] Write it down\n  <!-- loopx:todo resume_when=command:rm -->"));
    expect((await run("poll", ...G)).answer).toMatchObject({ not_met: [], woken: [] });
  });

  test("L3 a rehearsal runs nothing", async () => {
    const file = join(of.project, "ran");
    await monitor("Watch", "--run", node(`require('fs').writeFileSync(${JSON.stringify(file)}, '')`));
    expect((await run("poll", ...G, "--dry-run")).answer).toMatchObject({
      dry_run: true,
      polled: [{ ran: { outcome: "not_run" } }],
    });
    expect(existsSync(file)).toBe(false);
    await run("poll", ...G);
    expect(existsSync(file)).toBe(true);
  });

  test("a monitor whose time is up ends, unless an agent has it in hand", async () => {
    const at = new Date(Date.parse(of.now()) + 60_000).toISOString();
    const [free, held] = [
      await add("free", "--task-class", "continuous_monitor", "--expires-at", at),
      await add("held", "--task-class", "continuous_monitor", "--expires-at", at),
    ];
    await run("claim", ...G, "--agent-id", "ada", "--todo-id", held);
    of.advance(120_000);
    expect((await run("poll", ...G)).answer.ended.map(({ todo_id }: Json) => todo_id)).toEqual([free]);
    expect(await todo(free)).toMatchObject({ status: "done", metadata: { outcome: "superseded", reason: "expired" } });
    expect((await todo(held)).status).toBe("open");
  });

  test("L4 a goal that is stopped is passed over, and refused by name", async () => {
    await monitor("Watch", "--run", node("0"));
    register({ activation: { schema_version: "loopx_goal_activation_v1", state: "stopped" } });
    expect((await run("poll")).answer.goals_looked_at).toBe(0);
    expect((await run("poll", ...G)).answer.code).toBe("goal_stopped");
  });

  test("pages for people", async () => {
    expect(await loopxPage(of, "poll")).toMatch(/^# Nothing is due\n/);
    const id = await monitor("Watch");
    expect(await loopxPage(of, "poll", "--todo-id", id, "--result-hash", "h")).toContain(`- \`${id}\` has changed, next at`);
  });
});
