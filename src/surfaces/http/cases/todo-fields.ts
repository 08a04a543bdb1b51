/** What bodies say of todos, as the use cases take it: the fields of the command under the names they are kept with. */
import type { TodoNext, TodoWriteRequest } from "../../../commands/app.ts";
import type { GoalId, TodoId } from "../../../core/id.ts";
import type { NextTodosBody, TodoWordsBody, TodoWriterBody } from "../../../schema/http/todo-bodies.ts";
import { listed } from "./listed.ts";

type Words = TodoNext["agentWords"];

export function wordsIn(body: TodoWordsBody): Words {
  const { excluded_agent, required_capability, target_capability, required_write_scope, required_decision_scope } = body;
  return {
    ...plainWords(body),
    excluded_agents: listed(excluded_agent),
    blocks_agent: listed(body.blocks_agent),
    depends_on: listed(body.depends_on),
    unblocks_todo_id: listed(body.unblocks_todo_id),
    required_capabilities: listed(required_capability),
    target_capabilities: listed(target_capability),
    required_write_scopes: listed(required_write_scope),
    required_decision_scopes: listed(required_decision_scope),
  };
}

/** Fields whose name is that of the metadata. */
const PLAIN = [
  "task_class",
  "action_kind",
  "claimed_by",
  "resume_when",
  "target_key",
  "cadence",
  "expires_at",
  "next_due_at",
  "watch_only",
  "validation_command",
  "validation_command_argv",
  "validation_label",
  "validation_timeout_seconds",
  "run",
  "bound_agent",
  "goal_bound",
  "global_gate",
  "decision_scope",
  "on_reject",
  "default_outcome",
  "continuation_policy",
  "note",
  "evidence",
  "reason",
] as const satisfies readonly (keyof Words & keyof TodoWordsBody)[];

function plainWords(body: TodoWordsBody): Words {
  return Object.fromEntries(PLAIN.map((name) => [name, body[name] ?? null]));
}

export function nextIn(body: NextTodosBody): TodoNext {
  return {
    agent: listed(body.next),
    user: listed(body.next_user_todo),
    agentWords: {
      task_class: body.next_task_class ?? null,
      action_kind: body.next_action_kind ?? null,
      claimed_by: body.next_claimed_by ?? null,
      excluded_agents: listed(body.next_excluded_agent),
      continuation_policy: body.next_continuation_policy ?? null,
    },
    userWords: {
      task_class: body.next_user_task_class ?? null,
      bound_agent: body.next_bound_agent ?? null,
      goal_bound: body.next_goal_bound ?? null,
      blocks_agent: listed(body.next_blocks_agent),
      global_gate: body.next_global_gate ?? null,
    },
    noFollowUp: body.no_follow_up ?? false,
  };
}

interface About {
  readonly ids: { readonly goal_id: GoalId; readonly todo_id: TodoId };
  readonly turn: string | null;
}

export function writerIn(body: TodoWriterBody, { ids, turn }: About): TodoWriteRequest & { readonly todoId: TodoId } {
  return {
    goalId: ids.goal_id,
    todoId: ids.todo_id,
    agentId: body.agent_id ?? null,
    turnInstanceId: turn,
    leaseEpoch: body.lease_epoch ?? null,
    leaseKey: body.task_lease_idempotency_key ?? null,
    leaseVersion: body.task_lease_expected_version ?? null,
    dryRun: body.dry_run ?? false,
  };
}
