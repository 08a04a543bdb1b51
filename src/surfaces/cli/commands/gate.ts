import { loopxCommand } from "../../../core/command-line.ts";
import { done } from "../../../core/result.ts";
import { operatorGatePayload } from "../../../core/show/gate.ts";
import { gateDecisionPage, gateListPage } from "../../../core/show/markdown/gate.ts";
import { todoShowPage, todoWrittenPage } from "../../../core/show/markdown/todo.ts";
import type { Run } from "../command.ts";
import { goalIdOf } from "../goal-id.ts";
import { rehearses } from "../rehearsal.ts";
import { shown } from "../shown.ts";

type Answer = "approve" | "reject" | "defer";

export const gateList: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.gateList({
    goalId: options.text("goal-id"),
    todoId: null,
    limit: options.number("limit"),
    cursor: options.text("cursor"),
  });
  return shown(reply, gateListPage);
};

/** One that was answered waits for nobody: it is shown as the todo that it is. */
export const gateShow: Run = async (context, options) => {
  const app = await context.app();
  const [goalId, todoId] = [options.text("goal-id"), options.text("todo-id") ?? ""];
  const listed = await app.gateList({ goalId, todoId, limit: 1, cursor: null });
  if (listed.kind !== "done" || listed.value.gates.length > 0) return shown(listed, gateListPage);
  return shown(await app.todoShow({ goalId, todoId, agentId: null }), todoShowPage);
};

export const gateAdd: Run = async (context, options) => {
  const goalId = goalIdOf(options);
  const dryRun = rehearses(options, { unlessTold: "write", fix: loopxCommand("gate", "list", "--goal-id", goalId) });
  if (dryRun.kind !== "done") return dryRun;
  const app = await context.app();
  const reply = await app.todoAdd({
    goalId,
    text: options.text("text") ?? "",
    role: "user",
    priority: options.number("priority"),
    status: null,
    words: {
      task_class: "user_gate",
      unblocks_todo_id: options.list("unblocks-todo-id"),
      blocks_agent: options.list("blocks-agent"),
      decision_scope: options.text("decision-scope"),
      global_gate: options.flagOrNull("global-gate"),
      on_reject: options.text("on-reject"),
      expires_at: options.text("expires-at"),
      default_outcome: options.text("default-outcome"),
      cadence: options.text("cadence"),
      note: options.text("note"),
    },
    agentId: options.text("agent-id"),
    turnInstanceId: null,
    dryRun: dryRun.value,
  });
  return shown(reply, todoWrittenPage);
};

export function gateAnswer(outcome: Answer): Run {
  return async (context, options) => {
    const todoId = options.text("todo-id") ?? "";
    const dryRun = rehearses(options, { unlessTold: "write", fix: loopxCommand("gate", "show", todoId) });
    if (dryRun.kind !== "done") return dryRun;
    const app = await context.app();
    const reply = await app.gateDecide({
      goalId: options.text("goal-id"),
      todoId,
      outcome,
      reason: options.text("reason"),
      until: outcome === "defer" ? options.text("until") : null,
      agentId: null,
      dryRun: dryRun.value,
    });
    return shown(reply, gateDecisionPage);
  };
}

export const operatorGate: Run = async (context, options) => {
  const decision = options.text("decision");
  const app = await context.app();
  const reply = await app.gateDecide({
    goalId: goalIdOf(options),
    todoId: options.text("gate"),
    outcome: decision === "reject" || decision === "defer" ? decision : "approve",
    reason: options.text("reason-summary"),
    until: null,
    agentId: null,
    dryRun: options.flag("dry-run"),
  });
  return shown(reply.kind === "done" ? done(operatorGatePayload(reply.value)) : reply, gateDecisionPage);
};
