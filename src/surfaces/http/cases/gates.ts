/** Routes of what waits for a person: questions, and their answers. */
import type { App } from "../../../commands/app.ts";
import type { GoalId, TodoId } from "../../../core/id.ts";
import type { Reply } from "../../../core/result.ts";
import { gateDecidedAnswer, gatesAnswer, todoWrittenAnswer } from "../../../schema/http/todo-answers.ts";
import { gateAddBody, gateAnswerBody, gateDeferBody } from "../../../schema/http/todo-bodies.ts";
import { read, type UseCase, write } from "../use-case.ts";
import { pageOf } from "./page-of.ts";
import { wordsIn } from "./todo-fields.ts";

const ONE = "/goals/{goal_id}/gates/{todo_id}";

export const GATE_CASES: readonly UseCase[] = [
  read({
    path: "/gates",
    summary: "What waits for a person, over all goals.",
    parameters: ["limit", "cursor"],
    moves_with: "clock",
    answer: gatesAnswer,
    ask: (app, { given }) => app.gateList({ ...pageOf(given), goalId: null, todoId: null }),
  }),
  read({
    path: "/goals/{goal_id}/gates",
    summary: "What waits for a person in the goal.",
    parameters: ["limit", "cursor"],
    moves_with: "clock",
    answer: gatesAnswer,
    ask: (app, { ids, given }) => app.gateList({ ...pageOf(given), goalId: ids.goal_id, todoId: null }),
  }),
  read({
    path: ONE,
    summary: "One question, and what it holds up; none where it is answered.",
    parameters: [],
    moves_with: "clock",
    answer: gatesAnswer,
    ask: (app, { ids }) => app.gateList({ goalId: ids.goal_id, todoId: ids.todo_id, limit: 1, cursor: null }),
  }),
  write({
    path: "/goals/{goal_id}/gates",
    summary: "Asks a person: agents wait for the answer.",
    body: gateAddBody,
    answer: todoWrittenAnswer,
    ask: (app, { ids, body, key: idempotencyKey }) => {
      const { text, priority = null, agent_id: agentId = null, dry_run } = body;
      const about = { goalId: ids.goal_id, agentId, turnInstanceId: null, dryRun: dry_run ?? false, idempotencyKey };
      const words = { ...wordsIn(body), task_class: "user_gate" };
      return app.todoAdd({ ...about, text, role: "user", priority, status: null, words });
    },
  }),
  write({
    path: `${ONE}/approve`,
    summary: "Answers yes: what the question holds up can be done.",
    body: gateAnswerBody,
    answer: gateDecidedAnswer,
    ask: (app, asked) => decide(app, "approve", asked),
  }),
  write({
    path: `${ONE}/reject`,
    summary: "Answers no: what the question holds up is closed.",
    body: gateAnswerBody,
    answer: gateDecidedAnswer,
    ask: (app, asked) => decide(app, "reject", asked),
  }),
  write({
    path: `${ONE}/defer`,
    summary: "Answers later: the question is asked again.",
    body: gateDeferBody,
    answer: gateDecidedAnswer,
    ask: (app, asked) => decide(app, "defer", asked),
  }),
];

interface Asked {
  readonly ids: { readonly goal_id: GoalId; readonly todo_id: TodoId };
  readonly body: {
    readonly reason?: string | null | undefined;
    readonly until?: string | null | undefined;
    readonly dry_run?: boolean | null | undefined;
  };
}

function decide(app: App, outcome: "approve" | "reject" | "defer", { ids, body }: Asked): Promise<Reply<object>> {
  const { reason = null, until = null, dry_run } = body;
  const about = { goalId: ids.goal_id, todoId: ids.todo_id, agentId: null, dryRun: dry_run ?? false };
  return app.gateDecide({ ...about, outcome, reason, until });
}
