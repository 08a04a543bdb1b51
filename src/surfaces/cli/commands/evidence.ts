import { done, type Reply, reject } from "../../../core/result.ts";
import { evidenceAddPage, evidenceListPage, evidenceShowPage } from "../../../core/show/markdown/evidence.ts";
import type { Run } from "../command.ts";
import { goalIdOf } from "../goal-id.ts";
import { shown } from "../shown.ts";

export const evidenceAdd: Run = async (context, options) => {
  const command = argvIn(options.text("command-json"));
  if (command.kind !== "done") return command;
  const app = await context.app();
  const reply = await app.evidenceAdd({
    goalId: goalIdOf(options),
    agentId: options.text("agent-id"),
    todoId: options.text("todo-id"),
    label: options.text("label") ?? "",
    command: command.value,
    exitCode: options.number("exit-code"),
    durationSeconds: options.number("duration-seconds"),
    output: options.text("output"),
    outputFile: options.text("output-file"),
    note: options.text("note"),
    leaseEpoch: options.number("lease-epoch"),
    idempotencyKey: options.text("idempotency-key"),
    dryRun: options.flag("dry-run"),
  });
  return shown(reply, evidenceAddPage);
};

/** Never a line for a shell: a list of arguments. */
function argvIn(text: string | null): Reply<readonly string[] | null> {
  if (text === null) return done(null);
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.every((word) => typeof word === "string")) return done(value);
  } catch {
    // Said below, as for JSON that is something else.
  }
  const message = '--command-json is a JSON list of texts, such as ["npm","test"]';
  return reject("option_value_invalid", message, { fix: "loopx evidence add --help" });
}

export const evidenceList: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.evidenceList({
    goalId: goalIdOf(options),
    todoId: options.text("todo-id"),
    limit: options.number("limit"),
    cursor: options.text("cursor"),
  });
  return shown(reply, evidenceListPage);
};

export const evidenceShow: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.evidenceShow({
    goalId: goalIdOf(options),
    seq: options.number("seq") ?? 0,
    withOutput: options.flag("with-output"),
  });
  return shown(reply, evidenceShowPage);
};
