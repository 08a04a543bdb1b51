/**
 * What a todo has to say to be one of its class, before it is added or after it was changed.
 *
 * Does not own: the form of single values (`todo-words.ts`), what the values do (`todo-traits.ts`, `core/next`).
 *
 * D1  A monitor says when it ends, what ends it, or that it only watches.
 * D2  Where several agents work, a gate says whom it holds up, and a user action whose it is: nobody is asked to guess.
 * D3  A question that runs out says what holds then, and says when.
 * D4  Acceptance checks can be understood as a whole, or the todo is not written.
 */
import { loopxCommand } from "../command-line.ts";
import type { TodoRole } from "../plan/plan.ts";
import { roleOfClass } from "../plan/todos.ts";
import { type BadInput, done, type Reply, reject } from "../result.ts";
import { parseAcceptance } from "../verify/acceptance.ts";
import { kindOf, type TraitSource } from "./todo-traits.ts";

export interface Demanding {
  readonly goal_id: string;
  readonly registered_agents: readonly string[];
}

/** Null: it says enough. */
export function demandFlaw(todo: TraitSource, goal: Demanding): BadInput | null {
  return classFlaw(todo, goal) ?? expiryFlaw(todo) ?? checkFlaw(todo);
}

function classFlaw(todo: TraitSource, goal: Demanding): BadInput | null {
  switch (kindOf(todo)) {
    case "monitor":
      return monitorFlaw(todo, goal);
    case "gate":
      return goal.registered_agents.length > 1 ? gateFlaw(todo) : null;
    case "action":
      return goal.registered_agents.length > 1 ? actionFlaw(todo) : null;
    default:
      return null;
  }
}

/** (D1) */
function monitorFlaw(todo: TraitSource, { goal_id }: Demanding): BadInput | null {
  if (says(todo, "expires_at", "resume_when", "watch_only")) return null;
  return reject(
    "monitor_unbounded",
    "A monitor needs --expires-at, --resume-when or --watch-only: nothing may be watched for ever unasked.",
    {
      fix: loopxCommand("todo", "add", "--goal-id", goal_id, "--task-class", "continuous_monitor", "--text", "…", "--watch-only"),
    },
  );
}

/** (D2) */
function gateFlaw(todo: TraitSource): BadInput | null {
  if (says(todo, "blocks_agent", "global_gate", "unblocks_todo_id", "decision_scope")) return null;
  return reject(
    "gate_scope_required",
    "Several agents work on this goal: a question needs --unblocks-todo-id, --decision-scope, --blocks-agent or --global-gate.",
  );
}

/** (D2) */
function actionFlaw(todo: TraitSource): BadInput | null {
  if (says(todo, "bound_agent", "goal_bound")) return null;
  return reject(
    "action_scope_required",
    "Several agents work on this goal: what a person is to do needs --bound-agent or --goal-bound.",
  );
}

/** (D3) */
function expiryFlaw(todo: TraitSource): BadInput | null {
  if (kindOf(todo) !== "gate") {
    return says(todo, "default_outcome")
      ? reject("default_outcome_without_gate", "Only a question to a person (user_gate) has a --default-outcome.")
      : null;
  }
  if (says(todo, "expires_at") === says(todo, "default_outcome")) return null;
  return reject(
    "default_outcome_required",
    "A question that runs out needs both --expires-at and --default-outcome approve or reject.",
  );
}

/** (D4) */
function checkFlaw({ metadata }: TraitSource): BadInput | null {
  const acceptance = parseAcceptance(metadata);
  const [first] = acceptance.kind === "flawed" ? acceptance.flaws : [];
  if (acceptance.kind !== "flawed" || first === undefined) return null;
  return reject("check_invalid", `The acceptance check cannot be used: ${first.message}`, {
    problems: acceptance.flaws.map(({ key, code, message }) => ({ path: key, code, message })),
  });
}

function says({ metadata }: TraitSource, ...keys: readonly string[]): boolean {
  return keys.some((key) => (metadata[key] ?? "") !== "");
}

/** Whose todo it is, from what was said of role and class; a user todo has to say which of the two it is. */
export function roleFor(role: TodoRole | null, taskClass: string | null): Reply<TodoRole> {
  if (taskClass === null) {
    if (role !== "user") return done("agent");
    return reject(
      "task_class_required",
      "A user todo says which it is: --task-class user_gate (a question) or user_action (something to do).",
    );
  }
  const meant = roleOfClass(taskClass);
  if (role === null || role === meant) return done(meant);
  return reject("task_class_role", `A ${taskClass} is a todo of role ${meant}, not ${role}.`);
}
