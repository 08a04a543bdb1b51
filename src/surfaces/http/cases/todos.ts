/** Routes of todos: listed, shown, added, changed and closed. */
import type { App } from "../../../commands/app.ts";
import type { GoalId, TodoId, TurnId } from "../../../core/id.ts";
import type { Reply } from "../../../core/result.ts";
import { todoAnswer, todosAnswer, todosArchivedAnswer, todoWrittenAnswer } from "../../../schema/http/todo-answers.ts";
import {
  type TodoWriterBody,
  todoAddBody,
  todoArchiveBody,
  todoBlockBody,
  todoCompleteBody,
  todoDeferBody,
  todoReopenBody,
  todoSupersedeBody,
  todoUpdateBody,
} from "../../../schema/http/todo-bodies.ts";
import { read, type UseCase, write } from "../use-case.ts";
import { keyed } from "./keyed.ts";
import { pageOf } from "./page-of.ts";
import { nextIn, wordsIn, writerIn } from "./todo-fields.ts";

const ONE = "/goals/{goal_id}/todos/{todo_id}";

export const TODO_CASES: readonly UseCase[] = [
  read({
    path: "/goals/{goal_id}/todos",
    summary: "Todos of the goal: what can be done first.",
    parameters: ["status", "role", "limit", "cursor"],
    moves_with: "clock",
    answer: todosAnswer,
    ask: (app, { ids, given }) =>
      app.todoList({
        ...pageOf(given),
        goalId: ids.goal_id,
        todoId: null,
        role: given.role ?? null,
        status: given.status ?? null,
      }),
  }),
  write({
    path: "/goals/{goal_id}/todos",
    summary: "Adds a todo, or brings an open one of the same text up to date.",
    body: todoAddBody,
    answer: todoWrittenAnswer,
    ask: async (app, { ids, body, key }) => {
      const turn = keyed({ field: "turn_instance_id", value: body.turn_instance_id, key });
      if (turn.kind !== "done") return turn;
      const { text, role = null, priority = null, status = null, agent_id: agentId = null, dry_run } = body;
      const about = { goalId: ids.goal_id, agentId, turnInstanceId: turn.value, dryRun: dry_run ?? false };
      return await app.todoAdd({ ...about, idempotencyKey: key, text, role, priority, status, words: wordsIn(body) });
    },
  }),
  write({
    path: "/goals/{goal_id}/todos/archive-completed",
    summary: "Moves old closed todos to the archive of the state file.",
    body: todoArchiveBody,
    answer: todosArchivedAnswer,
    ask: (app, { ids, body }) =>
      app.todoArchiveCompleted({
        goalId: ids.goal_id,
        maxActiveDone: body.max_active_done ?? null,
        dryRun: body.dry_run ?? false,
      }),
  }),
  read({
    path: ONE,
    summary: "One todo, whole.",
    parameters: ["agent_id"],
    moves_with: "clock",
    answer: todoAnswer,
    ask: (app, { ids, given }) => app.todoShow({ goalId: ids.goal_id, todoId: ids.todo_id, agentId: given.agent_id ?? null }),
  }),
  write({
    path: `${ONE}/update`,
    summary: "Changes what the todo says.",
    body: todoUpdateBody,
    answer: todoWrittenAnswer,
    ask: (app, asked) =>
      asWriter(asked, (about) => {
        const { text = null, priority = null, status = null, clear_claim } = asked.body;
        const [words, next] = [wordsIn({ ...asked.body, text: "", status: null }), nextIn(asked.body)];
        return app.todoUpdate({ ...about, text, priority, status, words, clearClaim: clear_claim ?? false, next });
      }),
  }),
  write({
    path: `${ONE}/block`,
    summary: "Puts the todo aside: something is in the way.",
    body: todoBlockBody,
    answer: todoWrittenAnswer,
    ask: (app, asked) => settingTo(app, "blocked", asked),
  }),
  write({
    path: `${ONE}/defer`,
    summary: "Puts the todo off, until a time or a condition.",
    body: todoDeferBody,
    answer: todoWrittenAnswer,
    ask: (app, asked) => settingTo(app, "deferred", asked),
  }),
  write({
    path: `${ONE}/reopen`,
    summary: "Opens the todo again.",
    body: todoReopenBody,
    answer: todoWrittenAnswer,
    ask: (app, asked) => settingTo(app, "open", asked),
  }),
  write({
    path: `${ONE}/complete`,
    summary: "Closes the todo, with what comes next.",
    body: todoCompleteBody,
    answer: todoWrittenAnswer,
    ask: (app, asked) =>
      asWriter(asked, (about) => {
        const { reason = null, note = null, evidence = null, decision_outcome: decisionOutcome = null } = asked.body;
        return app.todoComplete({ ...about, decisionOutcome, words: { reason, note, evidence }, next: nextIn(asked.body) });
      }),
  }),
  write({
    path: `${ONE}/supersede`,
    summary: "Closes the todo that something else takes the place of.",
    body: todoSupersedeBody,
    answer: todoWrittenAnswer,
    ask: (app, asked) =>
      asWriter(asked, (about) => {
        const { reason = null, note = null, evidence = null, superseded_by: supersededBy = null } = asked.body;
        return app.todoSupersede({ ...about, supersededBy, words: { reason, note, evidence }, next: nextIn(asked.body) });
      }),
  }),
];

interface Asked<Body extends TodoWriterBody> {
  readonly ids: { readonly goal_id: GoalId; readonly todo_id: TodoId };
  readonly body: Body;
  readonly key: TurnId | null;
}

type Writer = ReturnType<typeof writerIn>;

async function asWriter<Body extends TodoWriterBody>(
  { ids, body, key }: Asked<Body>,
  ask: (about: Writer) => Promise<Reply<object>>,
): Promise<Reply<object>> {
  const turn = keyed({ field: "turn_instance_id", value: body.turn_instance_id, key });
  return turn.kind === "done" ? await ask(writerIn(body, { ids, turn: turn.value })) : turn;
}

interface Setting extends TodoWriterBody {
  readonly reason?: string | null | undefined;
  readonly note?: string | null | undefined;
  readonly resume_when?: string | null | undefined;
  readonly until?: string | null | undefined;
}

async function settingTo(app: App, status: "open" | "blocked" | "deferred", asked: Asked<Setting>): Promise<Reply<object>> {
  const { reason = null, note = null, resume_when, until } = asked.body;
  const words = { resume_when: resume_when ?? until ?? null, reason, note };
  return await asWriter(asked, (about) => app.todoSetStatus({ ...about, status, words }));
}
