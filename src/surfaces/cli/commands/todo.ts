import type { TodoUpdateRequest, TodoWriteRequest } from "../../../commands/app.ts";
import { loopxCommand } from "../../../core/command-line.ts";
import { done, type Reply, reject } from "../../../core/result.ts";
import { claimPage } from "../../../core/show/markdown/claim.ts";
import { todoArchivedPage, todoListPage, todoShowPage, todoWrittenPage } from "../../../core/show/markdown/todo.ts";
import type { Run } from "../command.ts";
import type { Options } from "../given.ts";
import { goalIdOf } from "../goal-id.ts";
import { rehearses } from "../rehearsal.ts";
import { shown } from "../shown.ts";
import { nextOf, plainNextOf, wordsOf } from "../todo-words.ts";

type Aboutness = TodoWriteRequest & { readonly todoId: string };

/** What every command about one todo has. */
function aboutTodo(options: Options): Reply<Aboutness> {
  const todoId = options.text("todo-id") ?? "";
  const dryRun = rehearses(options, { unlessTold: "write", fix: loopxCommand("todo", "show", "--todo-id", todoId) });
  if (dryRun.kind !== "done") return dryRun;
  return done({
    todoId,
    goalId: options.text("goal-id"),
    agentId: options.text("agent-id"),
    turnInstanceId: options.text("turn-instance-id"),
    leaseEpoch: options.number("lease-epoch"),
    leaseKey: options.text("task-lease-idempotency-key"),
    leaseVersion: options.number("task-lease-expected-version"),
    dryRun: dryRun.value,
  });
}

export const todoAdd: Run = async (context, options) => {
  const goalId = goalIdOf(options);
  const dryRun = rehearses(options, { unlessTold: "write", fix: loopxCommand("todo", "list", "--goal-id", goalId) });
  if (dryRun.kind !== "done") return dryRun;
  const status = options.text("status");
  if (status === "done" || status === "archived")
    return reject("todo_status_invalid", `A todo is added open, blocked or deferred, not ${status}.`, {
      fix: loopxCommand("todo", "add", "--goal-id", goalId, "--text", "…"),
    });
  const app = await context.app();
  const reply = await app.todoAdd({
    goalId,
    text: options.text("text") ?? "",
    role: roleOf(options),
    priority: options.number("priority"),
    status: isPlain(status) ? status : null,
    words: wordsOf(options),
    agentId: options.text("agent-id"),
    turnInstanceId: options.text("turn-instance-id"),
    dryRun: dryRun.value,
  });
  return shown(reply, todoWrittenPage);
};

function roleOf(options: Options): "user" | "agent" | null {
  const role = options.text("role");
  return role === "user" || role === "agent" ? role : null;
}

type Plain = "open" | "blocked" | "deferred";

function isPlain(status: string | null): status is Plain {
  return status === "open" || status === "blocked" || status === "deferred";
}

export const todoList: Run = async (context, options) => {
  const status = options.text("status");
  const app = await context.app();
  const reply = await app.todoList({
    goalId: goalIdOf(options),
    todoId: options.text("todo-id"),
    role: roleOf(options),
    status: isPlain(status) || status === "done" || status === "archived" ? status : null,
    limit: options.number("limit"),
    cursor: options.text("cursor"),
  });
  return shown(reply, todoListPage);
};

export const todoShow: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.todoShow({
    goalId: options.text("goal-id"),
    todoId: options.text("todo-id") ?? "",
    agentId: options.text("agent-id"),
  });
  return shown(reply, todoShowPage);
};

export const todoUpdate: Run = async (context, options) => {
  const about = aboutTodo(options);
  if (about.kind !== "done") return about;
  const status = options.text("status");
  if (status === "archived")
    return reject("todo_status_invalid", "A todo is moved to the archive by archive-completed.", {
      fix: loopxCommand("todo", "archive-completed", "--goal-id", "…", "--execute"),
    });
  const request: TodoUpdateRequest = {
    ...about.value,
    text: options.text("text"),
    priority: options.number("priority"),
    status: isPlain(status) || status === "done" ? status : null,
    words: wordsOf(options),
    clearClaim: options.flag("clear-claim"),
    next: plainNextOf(options),
  };
  const app = await context.app();
  return shown(await app.todoUpdate(request), todoWrittenPage);
};

export const todoBlock: Run = settingTo("blocked", (options) => ({ resume_when: options.text("resume-when") }));
export const todoReopen: Run = settingTo("open", () => ({}));
export const todoDefer: Run = settingTo("deferred", (options) => ({
  resume_when: options.text("resume-when") ?? options.text("until"),
}));

function settingTo(status: Plain, back: (options: Options) => { readonly resume_when?: string | null }): Run {
  return async (context, options) => {
    const about = aboutTodo(options);
    if (about.kind !== "done") return about;
    const words = { ...back(options), reason: options.text("reason"), note: options.text("note") };
    const app = await context.app();
    return shown(await app.todoSetStatus({ ...about.value, status, words }), todoWrittenPage);
  };
}

export const todoComplete: Run = async (context, options) => {
  const about = aboutTodo(options);
  if (about.kind !== "done") return about;
  const outcome = options.text("decision-outcome");
  const app = await context.app();
  const reply = await app.todoComplete({
    ...about.value,
    decisionOutcome: outcome === "approve" || outcome === "reject" || outcome === "cancel" ? outcome : null,
    words: endWords(options),
    next: nextOf(options),
  });
  return shown(reply, todoWrittenPage);
};

function endWords(options: Options): { readonly [key in "reason" | "note" | "evidence"]: string | null } {
  return { reason: options.text("reason"), note: options.text("note"), evidence: options.text("evidence") };
}

export const todoSupersede: Run = async (context, options) => {
  const about = aboutTodo(options);
  if (about.kind !== "done") return about;
  const app = await context.app();
  const reply = await app.todoSupersede({
    ...about.value,
    supersededBy: options.text("superseded-by"),
    words: endWords(options),
    next: nextOf(options),
  });
  return shown(reply, todoWrittenPage);
};

export const todoClaim: Run = async (context, options) => {
  const [agent, owner] = [options.text("agent-id"), options.text("claimed-by")];
  const todoId = options.text("todo-id") ?? "";
  if (agent !== null && owner !== null && agent !== owner)
    return reject(
      "option_conflict",
      "--agent-id and --claimed-by name two agents: a todo is claimed by the one that will work.",
      {
        fix: loopxCommand("todo", "claim", "--todo-id", todoId, "--agent-id", agent),
      },
    );
  const app = await context.app();
  const reply = await app.claim({
    goalId: options.text("goal-id"),
    agentId: agent ?? owner,
    todoId,
    turnInstanceId: options.text("turn-instance-id"),
    instance: options.text("instance"),
    ttlSeconds: options.number("ttl-seconds"),
    capabilities: [],
    writeScopes: [],
    idempotencyKey: options.text("idempotency-key"),
    dryRun: options.flag("dry-run"),
  });
  return shown(reply, claimPage);
};

export const todoArchiveCompleted: Run = async (context, options) => {
  const goalId = goalIdOf(options);
  const fix = loopxCommand("todo", "archive-completed", "--goal-id", goalId, "--dry-run");
  const dryRun = rehearses(options, { unlessTold: "preview", fix });
  if (dryRun.kind !== "done") return dryRun;
  const app = await context.app();
  const reply = await app.todoArchiveCompleted({
    goalId,
    maxActiveDone: options.number("max-active-done"),
    dryRun: dryRun.value,
  });
  return shown(reply, todoArchivedPage);
};
