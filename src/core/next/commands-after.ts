/** The exact commands that go on from an answer: what an agent types next. */
import { loopxCommand } from "../command-line.ts";
import { defaultAnswer } from "../goal/gate-expiry.ts";
import type { Situation } from "./asking.ts";
import type { Finding } from "./decision.ts";

export function commandsAfter({ state, request, mine, now }: Situation, { act, why, todo }: Finding): readonly string[] {
  const who = request.agent === null ? [] : ["--agent-id", request.agent];
  const about = ["--goal-id", state.goal.goal_id, ...who];
  const id = todo === undefined ? [] : ["--todo-id", todo.todo_id];
  const done = loopxCommand("done", ...about, ...id, "--summary", "…", "--next", "…");
  const again = loopxCommand("next", ...about);
  switch (act) {
    case "run": {
      const held = mine !== null && mine.todo.todo_id === todo?.todo_id && mine.lease.expires_at > now;
      if (held)
        return [
          loopxCommand("done", ...about, ...id, "--lease-epoch", String(mine.lease.epoch), "--summary", "…", "--next", "…"),
        ];
      return [loopxCommand("claim", ...about, ...id), done];
    }
    case "poll":
      return [loopxCommand("poll", ...about, ...id)];
    case "replan":
      return replanning(why, about, id);
    case "repair":
      return why === "capability" ? [`${again} --available-capability …`] : [loopxCommand("doctor"), again];
    case "ask":
      return [...writingDown({ todo, now }, about), again];
    case "wait":
      return why === "rate_limited" ? [loopxCommand("quota", "resume", ...about), again] : [again];
    case "stop":
      return stopping(why, state.goal.goal_id);
  }
}

/** A question whose time is up waits for no person: whoever polls writes its answer down. */
function writingDown(
  { todo, now }: { readonly todo: Finding["todo"] | undefined; readonly now: Situation["now"] },
  about: readonly string[],
): readonly string[] {
  return todo !== undefined && defaultAnswer(todo, now) !== null ? [loopxCommand("poll", ...about)] : [];
}

function replanning(why: Finding["why"], about: readonly string[], id: readonly string[]): readonly string[] {
  const add = loopxCommand("todo", "add", ...about, "--text", "…");
  if (why === "gap") return [add, loopxCommand("todo", "update", ...about, ...id, "--no-follow-up", "--reason", "…")];
  if (why === "stalled") return [loopxCommand("todo", "supersede", ...about, ...id, "--reason", "…", "--next", "…"), add];
  return [add];
}

function stopping(why: Finding["why"], goalId: string): readonly string[] {
  const about = ["--goal-id", goalId];
  if (why === "stopped") return [loopxCommand("goal", "resume", ...about)];
  if (why === "paused") return [loopxCommand("quota", "set", ...about, "--compute", "1")];
  if (why === "archived") return [loopxCommand("restore", ...about)];
  return [loopxCommand("todo", "add", ...about, "--text", "…")];
}
