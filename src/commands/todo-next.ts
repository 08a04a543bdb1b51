/**
 * The todos that come after one, made ready before the transaction and placed in it.
 *
 * N1  They go on where the work was: with its priority, unless their text has one of its own.
 * N2  What comes next and "nothing comes next" are not said together, and the latter has a reason.
 */

import type { Continuation, TodoRecord } from "../core/events.ts";
import { newTodo } from "../core/goal/new-todo.ts";
import { demandFlaw, roleFor } from "../core/goal/todo-demands.ts";
import { todoText } from "../core/goal/todo-text.ts";
import { type MetadataPatch, metadataPatch, patched, type TodoWords } from "../core/goal/todo-words.ts";
import type { TodoId } from "../core/id.ts";
import { toRunTime } from "../core/instant.ts";
import type { TodoRole } from "../core/plan/plan.ts";
import { priorityOf } from "../core/plan/priority.ts";
import { type BadInput, done, type Reply, reject } from "../core/result.ts";
import type { TodoNext } from "./app-todos.ts";
import type { RegisteredGoal } from "./registry-rows.ts";
import type { WritingWorkspace } from "./workspace.ts";
import type { TodoState } from "./write-todos.ts";

export interface ReadyTodo {
  readonly todo_id: TodoId;
  readonly role: TodoRole;
  readonly text: string;
  readonly patch: MetadataPatch;
}

export function readyNext(
  workspace: Pick<WritingWorkspace, "ids">,
  registered: RegisteredGoal,
  { agent, user, agentWords, userWords, noFollowUp }: TodoNext,
): Reply<readonly ReadyTodo[]> {
  if (noFollowUp && agent.length + user.length > 0)
    return reject("option_conflict", "--no-follow-up says that nothing comes next, and --next says what does."); // (N2)
  const ready: ReadyTodo[] = [];
  for (const [role, texts, words] of [["agent", agent, agentWords] as const, ["user", user, userWords] as const]) {
    for (const text of texts) {
      const made = readyTodo(registered, { todo_id: workspace.ids.todoId(), role, text, words });
      if (made.kind !== "done") return made;
      ready.push(made.value);
    }
  }
  return done(ready);
}

interface Wording {
  readonly todo_id: TodoId;
  readonly role: TodoRole;
  readonly text: string;
  readonly words: TodoWords;
}

function readyTodo({ goal }: RegisteredGoal, { todo_id, role, text, words }: Wording): Reply<ReadyTodo> {
  const whole = todoText(text, null);
  if (whole.kind !== "done") return whole;
  const patch = metadataPatch(words, goal.registered_agents);
  if (patch.kind !== "done") return patch;
  const meant = roleFor(role, patch.value["task_class"] ?? null);
  if (meant.kind !== "done") return meant;
  const metadata = patched({}, patch.value);
  const flaw = demandFlaw({ role, task_class: metadata["task_class"] ?? null, metadata }, goal);
  return flaw ?? done({ todo_id, role, text: whole.value, patch: patch.value });
}

/** (N1) */
export function nextRecords(
  ready: readonly ReadyTodo[],
  {
    todo,
    state,
    inherits = {},
  }: { readonly todo: TodoRecord; readonly state: TodoState; readonly inherits?: TodoRecord["metadata"] },
): readonly TodoRecord[] {
  return ready.map(({ todo_id, role, text, patch }, offset) => {
    const asked = role === "user" ? { asked_at: toRunTime(state.at) } : {};
    const metadata = { ...(role === todo.role ? inherits : {}), ...patched({}, patch), ...asked };
    const priority = priorityOf(text) === null ? todo.priority : null;
    return newTodo({ todo_id, role, text, priority, status: "open", metadata }, state.head, offset);
  });
}

/** (N2) What was said of what comes next; null reason: none was given. */
export function continuationOf(ready: readonly ReadyTodo[], noFollowUp: boolean, reason: string | null): Continuation | BadInput {
  if (ready.length > 0) return { kind: "successors", todo_ids: ready.map(({ todo_id }) => todo_id) };
  if (!noFollowUp) return { kind: "open" };
  return reason === null
    ? reject("reason_required", "--no-follow-up needs --reason: why nothing comes next.")
    : { kind: "none", reason };
}
