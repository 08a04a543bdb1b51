/** What was said of a todo on the command line, under the names it is kept with. */
import type { TodoNext } from "../../commands/app.ts";
import type { Options } from "./given.ts";

type Words = TodoNext["agentWords"];

export function wordsOf(options: Options): Words {
  return {
    task_class: options.text("task-class"),
    action_kind: options.text("action-kind"),
    claimed_by: options.text("claimed-by"),
    excluded_agents: options.list("excluded-agent"),
    depends_on: options.list("depends-on"),
    resume_when: options.text("resume-when"),
    target_key: options.text("target-key"),
    cadence: options.text("cadence"),
    expires_at: options.text("expires-at"),
    next_due_at: options.text("next-due-at"),
    watch_only: options.flagOrNull("watch-only"),
    required_capabilities: options.list("required-capability"),
    target_capabilities: options.list("target-capability"),
    required_write_scopes: options.list("required-write-scope"),
    validation_command: options.text("validation-command"),
    validation_command_argv: options.text("validation-command-argv"),
    validation_label: options.text("validation-label"),
    validation_timeout_seconds: options.number("validation-timeout-seconds"),
    run: options.text("run"),
    bound_agent: options.text("bound-agent"),
    goal_bound: options.flagOrNull("goal-bound"),
    blocks_agent: options.list("blocks-agent"),
    global_gate: options.flagOrNull("global-gate"),
    unblocks_todo_id: options.list("unblocks-todo-id"),
    decision_scope: options.text("decision-scope"),
    required_decision_scopes: options.list("required-decision-scope"),
    on_reject: options.text("on-reject"),
    default_outcome: options.text("default-outcome"),
    continuation_policy: options.text("continuation-policy"),
    note: options.text("note"),
    evidence: options.text("evidence"),
    reason: options.text("reason"),
  };
}

/** Of a todo that was closed before: the texts alone. */
export function plainNextOf(options: Options): TodoNext {
  const agent = options.list("next");
  return { agent, user: [], agentWords: {}, userWords: {}, noFollowUp: options.flag("no-follow-up") };
}

export function nextOf(options: Options): TodoNext {
  return { ...followingOf(options), noFollowUp: options.flag("no-follow-up") };
}

/** Of a command that need not say that nothing comes next. */
export function followingOf(options: Options): TodoNext {
  return {
    agent: options.list("next"),
    user: options.list("next-user-todo"),
    agentWords: {
      task_class: options.text("next-task-class"),
      action_kind: options.text("next-action-kind"),
      claimed_by: options.text("next-claimed-by"),
      excluded_agents: options.list("next-excluded-agent"),
      continuation_policy: options.text("next-continuation-policy"),
    },
    userWords: {
      task_class: options.text("next-user-task-class"),
      bound_agent: options.text("next-bound-agent"),
      goal_bound: options.flagOrNull("next-goal-bound"),
      blocks_agent: options.list("next-blocks-agent"),
      global_gate: options.flagOrNull("next-global-gate"),
    },
    noFollowUp: false,
  };
}
