/** What writes about todos and gates take; strict, as every body is (`bodies.ts`). */
import { z } from "@hono/zod-openapi";
import { count, dryRun, flag, optional, text, words } from "./fields.ts";

const reason = optional("why, kept with the todo");
const note = optional("kept with the todo");
const priority = z.int().min(0).max(9).nullish().openapi({ description: "0 is most urgent" });
const class_ = optional("advancement_task, continuous_monitor, blocker, user_gate or user_action");
const moment = optional("a time such as 2026-12-01T09:00:00Z");
const resume_when = optional("what brings it back: todo_done:ID, capacity_available:NAME, a time, …");

const gateWords = {
  unblocks_todo_id: words("todos that wait for the answer"),
  blocks_agent: words("agents that wait for the answer"),
  decision_scope: optional("what it decides: kind:granularity:key"),
  global_gate: flag("the whole goal waits for the answer"),
  on_reject: z.enum(["close", "reopen"]).nullish(),
  expires_at: moment,
  default_outcome: z.enum(["approve", "reject"]).nullish(),
  cadence: optional("how often it is asked or looked at, for example 4h"),
  note,
} as const;

const todoWords = {
  ...gateWords,
  task_class: class_,
  action_kind: optional("what kind of work it is"),
  claimed_by: optional("the agent it belongs to"),
  excluded_agent: words("agents that must not do it"),
  depends_on: words("todos that must be done first"),
  resume_when,
  target_key: optional("what a monitor looks at"),
  next_due_at: moment,
  watch_only: flag("looked at, never worked on"),
  required_capability: words("what the agent must be able to do"),
  target_capability: words("what it is there to bring about"),
  required_write_scope: words("paths that will be written to"),
  required_decision_scope: words("decisions that it waits for"),
  validation_command: optional("check that it must pass: a command"),
  validation_command_argv: optional("the same as a JSON list of arguments"),
  validation_label: optional("name of the check"),
  validation_timeout_seconds: count("longest time of the check", 1),
  run: optional("what the host `command` starts: a JSON list of arguments"),
  bound_agent: optional("the agent it concerns"),
  goal_bound: flag("it concerns the whole goal"),
  continuation_policy: z.enum(["independent_handoff", "same_agent_non_delivery"]).nullish(),
  evidence: optional("what shows it"),
  reason,
} as const;

const next = {
  next: words("texts of todos for agents that come next"),
  no_follow_up: flag("nothing comes next; needs reason"),
  next_task_class: class_,
  next_action_kind: optional("what kind of work comes next"),
  next_claimed_by: optional("the agent that what comes next belongs to"),
  next_excluded_agent: words("agents that must not do what comes next"),
  next_continuation_policy: z.enum(["independent_handoff", "same_agent_non_delivery"]).nullish(),
  next_user_todo: words("texts of todos for a person that come next"),
  next_user_task_class: class_,
  next_bound_agent: optional("the agent that the person's todo concerns"),
  next_goal_bound: flag("the person's todo concerns the whole goal"),
  next_blocks_agent: words("agents that wait for the person"),
  next_global_gate: flag("the whole goal waits for the person"),
} as const;

const writer = {
  agent_id: optional("the agent that writes"),
  lease_epoch: count("fencing number of the lease", 1),
  turn_instance_id: optional("the turn. `Idempotency-Key` when it is left out"),
  task_lease_idempotency_key: optional("key the lease was taken with"),
  task_lease_expected_version: count("version of the lease", 1),
  dry_run: dryRun,
} as const;

export const todoAddBody = z
  .strictObject({
    text,
    role: z.enum(["user", "agent"]).nullish(),
    priority,
    status: z.enum(["open", "blocked", "deferred"]).nullish(),
    ...todoWords,
    agent_id: writer.agent_id,
    turn_instance_id: writer.turn_instance_id,
    dry_run: dryRun,
  })
  .openapi("TodoAddRequest");

export const todoUpdateBody = z
  .strictObject({
    text: optional("what it says"),
    priority,
    status: z.enum(["open", "blocked", "deferred", "done"]).nullish(),
    clear_claim: flag("nobody owns it any more"),
    ...todoWords,
    ...next,
    ...writer,
  })
  .openapi("TodoUpdateRequest");

export const todoBlockBody = z.strictObject({ reason, note, resume_when, ...writer }).openapi("TodoBlockRequest");

export const todoDeferBody = z
  .strictObject({ until: optional("the time it comes back"), resume_when, reason, note, ...writer })
  .openapi("TodoDeferRequest");

export const todoReopenBody = z.strictObject({ reason, note, ...writer }).openapi("TodoReopenRequest");

export const todoCompleteBody = z
  .strictObject({
    ...next,
    reason,
    note,
    evidence: optional("what shows it"),
    decision_outcome: z.enum(["approve", "reject", "cancel"]).nullish(),
    ...writer,
  })
  .openapi("TodoCompleteRequest");

export const todoSupersedeBody = z
  .strictObject({
    superseded_by: optional("a todo that is there and takes its place"),
    ...next,
    reason,
    note,
    evidence: optional("what shows it"),
    ...writer,
  })
  .openapi("TodoSupersedeRequest");

export const todoArchiveBody = z
  .strictObject({ max_active_done: count("closed todos that stay (12)"), dry_run: dryRun })
  .openapi("TodoArchiveRequest");

export const gateAddBody = z
  .strictObject({ text, priority, ...gateWords, agent_id: writer.agent_id, dry_run: dryRun })
  .openapi("GateAddRequest");

export const gateAnswerBody = z.strictObject({ reason, dry_run: dryRun }).openapi("GateAnswerRequest");

export const gateDeferBody = z
  .strictObject({ reason, until: optional("when it is asked again"), dry_run: dryRun })
  .openapi("GateDeferRequest");

export type TodoWordsBody = Partial<z.output<typeof todoAddBody>>;
export type NextTodosBody = Pick<z.output<typeof todoUpdateBody>, keyof typeof next>;
export type TodoWriterBody = Pick<z.output<typeof todoUpdateBody>, keyof typeof writer>;
