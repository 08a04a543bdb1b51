/**
 * A person's answer to a gate: `gate approve|reject|defer`, and what the reference calls it.
 *
 * Does not own: what an answer leads to (`core/goal/gate.ts`), questions whose time is up (`settle-gates.ts`).
 *
 * D1  A gate is answered once: the second answer is refused and shows the first.
 * D2  A gate whose time was up before has its answer by default.
 */
import type { GateOutcome } from "../core/events.ts";
import type { GateCommand } from "../core/goal/gate.ts";
import { metadataPatch } from "../core/goal/todo-words.ts";
import { parseInstant, toRunTime } from "../core/instant.ts";
import { done, type Reply, reject } from "../core/result.ts";
import { type GateDecisionPayload, gateDecisionPayload } from "../core/show/gate.ts";
import type { GateDecideRequest } from "./app-todos.ts";
import { onlyGate } from "./only-gate.ts";
import { settleGates } from "./settle-gates.ts";
import { type AskingAbout, askingAbout } from "./todo-asking.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { type Step, standing, writeTodos } from "./write-todos.ts";

export async function gateDecide(workspace: WritingWorkspace, request: GateDecideRequest): Promise<Reply<GateDecisionPayload>> {
  const until = request.until === null ? null : parseInstant(request.until);
  if (request.until !== null && until === null)
    return reject(
      "until_invalid",
      `--until is a time such as 2026-12-01T09:00:00Z, not ${JSON.stringify(request.until.slice(0, 80))}.`,
    );
  if (request.until !== null && request.outcome !== "defer")
    return reject("option_conflict", "--until says when a deferred question is asked again: it goes with defer.");
  const reason = metadataPatch({ reason: request.reason }, []);
  if (reason.kind !== "done") return reason;
  const todoId = request.todoId === null ? await onlyGate(workspace, request) : done(request.todoId);
  if (todoId.kind !== "done") return todoId;
  const asking = await askingAbout(workspace, { ...request, ...NO_LEASE, todoId: todoId.value });
  if (asking.kind !== "done") return asking;
  if (!request.dryRun) await settleGates(workspace, asking.value); // (D2)
  return await answer(workspace, asking.value, { outcome: request.outcome, reason: reason.value["reason"] ?? "", until });
}

const NO_LEASE = { turnInstanceId: null, leaseEpoch: null, leaseKey: null, leaseVersion: null } as const;

type Answer = Pick<GateCommand, "reason" | "until"> & { readonly outcome: GateOutcome };

async function answer(workspace: WritingWorkspace, asking: AskingAbout, said: Answer): Promise<Reply<GateDecisionPayload>> {
  const { todo_id } = asking;
  const written = await writeTodos(workspace, asking, { todos: [todo_id], step: answering(asking, said) });
  if (written.kind !== "done") return written;
  const { draft, events, warnings } = written.value;
  const decided = events.find((event) => event.type === "gate.decided");
  if (decided?.type !== "gate.decided") throw new Error(`gate ${todo_id} was answered and nothing was recorded`);
  const { outcome, reason, by } = decided.data;
  const affected = [...draft.touched].filter((id) => id !== todo_id).flatMap((id) => draft.todos.get(id) ?? []);
  return done(
    gateDecisionPayload({
      goal_id: draft.goal_id,
      todo: standing(draft, todo_id),
      decision: { outcome, at: toRunTime(decided.at), reason: reason === "" ? null : reason, by },
      others: affected,
      dry_run: asking.dryRun,
      warnings,
    }),
  );
}

function answering({ todo_id, missing }: AskingAbout, said: Answer): Step {
  return (state) => {
    if (!state.todos.has(todo_id)) return missing;
    return [{ kind: "decide-gate", todo_id, by: "person", ...said }];
  };
}
