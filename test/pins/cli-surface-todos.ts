// The part of the pinned command line that is about todos, gates and what is looked up; `cli-surface.test.ts` has the rest. All literals.

export const PINNED_TODO_COMMANDS: Record<string, string> = {
  "todo add":
    "goal-id! text! role priority status task-class action-kind claimed-by excluded-agent depends-on resume-when target-key cadence expires-at next-due-at watch-only required-capability target-capability required-write-scope validation-command validation-command-argv validation-label validation-timeout-seconds run bound-agent goal-bound blocks-agent global-gate unblocks-todo-id decision-scope required-decision-scope on-reject default-outcome continuation-policy note evidence reason agent-id turn-instance-id dry-run execute",
  "todo list": "goal-id! status role todo-id limit cursor",
  "todo show": "todo-id! goal-id agent-id",
  "todo update":
    "todo-id! goal-id text priority status clear-claim task-class action-kind claimed-by excluded-agent depends-on resume-when target-key cadence expires-at next-due-at watch-only required-capability target-capability required-write-scope validation-command validation-command-argv validation-label validation-timeout-seconds run bound-agent goal-bound blocks-agent global-gate unblocks-todo-id decision-scope required-decision-scope on-reject default-outcome continuation-policy note evidence reason next no-follow-up agent-id lease-epoch turn-instance-id task-lease-idempotency-key task-lease-expected-version dry-run execute",
  "todo block":
    "todo-id! goal-id reason note resume-when agent-id lease-epoch turn-instance-id task-lease-idempotency-key task-lease-expected-version dry-run execute",
  "todo defer":
    "todo-id! goal-id until resume-when reason note agent-id lease-epoch turn-instance-id task-lease-idempotency-key task-lease-expected-version dry-run execute",
  "todo reopen":
    "todo-id! goal-id reason note agent-id lease-epoch turn-instance-id task-lease-idempotency-key task-lease-expected-version dry-run execute",
  "todo complete":
    "todo-id! goal-id next no-follow-up next-task-class next-action-kind next-claimed-by next-excluded-agent next-continuation-policy next-user-todo next-user-task-class next-bound-agent next-goal-bound next-blocks-agent next-global-gate reason note evidence decision-outcome agent-id lease-epoch turn-instance-id task-lease-idempotency-key task-lease-expected-version dry-run execute",
  "todo supersede":
    "todo-id! goal-id superseded-by next no-follow-up next-task-class next-action-kind next-claimed-by next-excluded-agent next-continuation-policy next-user-todo next-user-task-class next-bound-agent next-goal-bound next-blocks-agent next-global-gate reason note evidence agent-id lease-epoch turn-instance-id task-lease-idempotency-key task-lease-expected-version dry-run execute",
  "todo claim": "todo-id! goal-id agent-id claimed-by turn-instance-id instance ttl-seconds idempotency-key dry-run",
  "todo archive-completed": "goal-id! max-active-done dry-run execute",
  "gate list": "goal-id limit cursor",
  "gate show": "todo-id! goal-id",
  "gate add":
    "goal-id! text! priority unblocks-todo-id blocks-agent decision-scope global-gate on-reject expires-at default-outcome cadence note agent-id dry-run execute",
  "gate approve": "todo-id! goal-id reason dry-run execute",
  "gate reject": "todo-id! goal-id reason dry-run execute",
  "gate defer": "todo-id! goal-id reason until dry-run execute",
  poll: "goal-id agent-id todo-id target-key result-hash material-change dry-run execute",
  "operator-gate": "goal-id! decision! reason-summary gate dry-run",
};

export const PINNED_TODO_WORDS: Record<string, string> = {
  role: "user agent",
  status: "open blocked deferred done archived",
  "task-class": "advancement_task continuous_monitor blocker user_gate user_action",
  "on-reject": "close reopen",
  "default-outcome": "approve reject",
  "continuation-policy": "independent_handoff same_agent_non_delivery",
  "decision-outcome": "approve reject cancel",
  "next-task-class": "advancement_task continuous_monitor blocker user_gate user_action",
  "next-continuation-policy": "independent_handoff same_agent_non_delivery",
  "next-user-task-class": "user_gate user_action",
  decision: "approve reject defer",
};

export const PINNED_TODO_NUMBERS: Record<string, readonly (number | null)[]> = {
  priority: [0, 4, null],
  "validation-timeout-seconds": [1, 3600, null],
  "max-active-done": [0, 100000, null],
};

export const PINNED_TODO_REPEATABLE: readonly string[] = [
  "todo update next",
  "todo complete next",
  "todo complete next-user-todo",
  "todo supersede next",
  "todo supersede next-user-todo",
];

export const PINNED_TODO_WORD_OF_ITS_OWN: readonly string[] = [
  "todo list",
  "todo show",
  "todo update",
  "todo block",
  "todo defer",
  "todo reopen",
  "todo complete",
  "todo supersede",
  "todo claim",
  "gate show",
  "gate approve",
  "gate reject",
  "gate defer",
];
