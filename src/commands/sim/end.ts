/** The end of a turn that finished nothing, as one transaction: written, spent, what it leaves behind, its lease given back. */
import type { TodoRecord } from "../../core/events.ts";
import type { GoalCommand } from "../../core/goal/command.ts";
import type { GoalDraft } from "../../core/goal/draft.ts";
import { leaseOf } from "../../core/goal/fence.ts";
import { affordable } from "../../core/goal/finish.ts";
import type { GoalHead } from "../../core/goal/head.ts";
import { newTodo } from "../../core/goal/new-todo.ts";
import { windowOf } from "../../core/quota/law.ts";
import { settingsOf } from "../../core/quota/settings-of.ts";
import type { SimRequest } from "../../core/sim/request.ts";
import type { WriteMaterial } from "../write-goal.ts";
import type { SimGoal } from "./goal.ts";
import { fenceOf } from "./hand.ts";

type End = Extract<SimRequest, { kind: "end" }>;

interface Judging {
  readonly draft: GoalDraft;
  readonly material: WriteMaterial;
}

/** A turn whose lease another one has by now says nothing about the todo and spends nothing. */
export function endCommands(goal: SimGoal, request: End, { draft, material }: Judging): readonly GoalCommand[] {
  const { head } = draft;
  if (head === null) return [];
  const { turn, todo_id, epoch, outcome, observation } = request;
  const todo = draft.todos.get(todo_id);
  const own = todo !== undefined && leaseOf(head, todo_id)?.epoch === epoch ? todo : null;
  const isAbout = own !== null && observation !== "";
  const written = { turn_id: turn, todo_id: isAbout ? todo_id : null, outcome, summary: outcome, observation, evidence: [] };
  return [
    { kind: "clamp-leases" },
    { kind: "write-turn", turn: own === null ? { ...written, outcome: "failed" } : written },
    ...(own === null ? [] : [...spending(goal, request, { own, head, material }), ...question(request, own, head)]),
    ...hold(request, head),
    ...(own === null ? [] : [{ kind: "free-lease", todo_id, reason: "released", fence: fenceOf(request) } as const]),
  ];
}

function spending(
  goal: SimGoal,
  request: End,
  { own, head, material }: { readonly own: TodoRecord; readonly head: GoalHead; readonly material: WriteMaterial },
): readonly GoalCommand[] {
  const quota = settingsOf(goal.registered().goal);
  if (request.outcome !== "progress" || quota.kind === "refusal") return [];
  const { agent, turn, todo_id, used } = request;
  const spent = material.spend?.units ?? { slots: 0, tokens: 0, wall_ms: 0 };
  const fits = affordable({ todo: own, used }, { head, now: material.at, caps: windowOf(quota.settings).caps, spent });
  return [{ kind: "spend", turn_id: turn, agent_id: agent, todo_id, ...fits, source: "run" }];
}

function question({ gate, todo_id }: End, own: TodoRecord, head: GoalHead): readonly GoalCommand[] {
  if (gate === null) return [];
  const metadata = { task_class: "user_gate", unblocks_todo_id: todo_id, on_reject: "reopen" };
  const words = {
    todo_id: gate.todo_id,
    role: "user",
    text: gate.text,
    priority: own.priority,
    status: "open",
    metadata,
  } as const;
  return [{ kind: "add-todo", todo: newTodo(words, head) }];
}

function hold({ hold_until }: End, head: GoalHead): readonly GoalCommand[] {
  return hold_until === null || head.lifecycle.kind !== "active"
    ? []
    : [{ kind: "hold-agent", until: hold_until, reason: "rate limit" }];
}
