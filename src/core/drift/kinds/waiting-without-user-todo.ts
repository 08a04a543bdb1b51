/**
 * The Next Action sounds like waiting for a person, and no open todo tells that person.
 *
 * The only place that reads prose: its answer is a hint on a list, and nothing is decided by it. A phrase counts where it stands as a whole; the
 * list is short on purpose, and a text that it misses is no error.
 */
import type { DriftRule } from "../drift.ts";

const ENTRIES_READ = 3;
const PHRASES: readonly RegExp[] = [
  /\b(?:wait(?:ing|s)?|blocked|pending|on hold|paused)\b[^.;]{0,60}\b(?:owner|user|operator|human|maintainer|reviewer|person|approval|decision|sign-?off|confirmation|permission)\b/iu,
  /\b(?:needs?|requires?|awaiting|awaits?)\b[^.;]{0,40}\b(?:approval|decision|sign-?off|confirmation|permission)\b/iu,
  /\bask\b[^.;]{0,20}\b(?:owner|user|operator|maintainer)\b/iu,
  /(?:等待|等候|需要|有待|暂停)[^。；]{0,40}(?:用户|人工|负责人|审批|批准|确认|决定|决策)/u,
  /(?:待|请)(?:用户|人工|负责人)?(?:审批|批准|确认|决定|决策)/u,
];

export const waitingWithoutUserTodo: DriftRule = {
  kinds: ["waiting_without_user_todo"],
  concerns: "running",
  find(view) {
    if (view.next_action === null || view.todo_counts.waiting_for_person > 0) return [];
    const waiting = view.next_action.entries.slice(0, ENTRIES_READ).find(soundsLikeWaiting);
    if (waiting === undefined) return [];
    return [
      {
        kind: "waiting_without_user_todo",
        severity: "watch",
        declared: waiting,
        observed: "no open todo of the user role",
        since: view.next_action.since,
        fix: { person: "if a person is waited for, tell them with a todo under User Todo; otherwise reword the Next Action" },
      },
    ];
  },
};

function soundsLikeWaiting(text: string): boolean {
  return PHRASES.some((phrase) => phrase.test(text));
}
