/**
 * From what a host came to, to what the goal has recorded: validated, written, closed or given back, settled.
 *
 * Does not own: the host's part (`run-turn.ts`), what each result leads to (`core/host/turn-ending.ts`).
 *
 * S1  Whatever was stored for the turn before is its end: nothing is validated or written twice, however often this is called.
 * S2  A completion closes its todo only with passing evidence of every check that the todo declares and of the run's own.
 * S3  Checks that others disturbed prove nothing either way: they run again, after waits that grow, and in the end count against nobody.
 */
import type { Evidence, TodoRecord } from "../core/events.ts";
import { verifiedFlaw } from "../core/goal/finish.ts";
import { fullJitter } from "../core/host/backoff.ts";
import { type HostFailure, retryAt } from "../core/host/failure.ts";
import { type Ending, endingOf, lost, notVerified } from "../core/host/turn-ending.ts";
import { turnMarks } from "../core/host/turn-env.ts";
import type { HostWord, SettledTurn } from "../core/host/turn-record.ts";
import type { TurnResult } from "../core/host/turn-result.ts";
import type { BadInput, Refusal } from "../core/result.ts";
import type { Check } from "../core/verify/acceptance.ts";
import { DEFAULT_CAPABILITY } from "../core/verify/capability.ts";
import { outwardOf } from "../errors.ts";
import { finishTodo } from "./done.ts";
import type { Scheduler } from "./scheduler.ts";
import { settledBefore } from "./settled-before.ts";
import type { TurnContext } from "./turn-context.ts";
import type { RunPorts, TurnSettings } from "./turn-ports.ts";
import { type Verified, verifyTodo } from "./verify-todo.ts";
import type { WritingWorkspace } from "./workspace.ts";
import { tokensOf, writeEnding } from "./write-ending.ts";

export interface Settling {
  readonly epoch: number;
  readonly word: HostWord;
  readonly settings: Pick<TurnSettings, "validation">;
  readonly random: RunPorts["random"];
  readonly scheduler: Pick<Scheduler, "after">;
}

const MOST_DISTURBED = 8;
const WAIT_UNDISTURBED = { base_ms: 100, max_ms: 2000 };
const VALIDATION_SECONDS = 600;

export async function settleTurn(workspace: WritingWorkspace, context: TurnContext, settling: Settling): Promise<SettledTurn> {
  const before = await settledBefore(workspace, context.record, settling.word);
  if (before !== null) return before; // (S1)
  const { word } = settling;
  const todo = await todoOf(workspace, context);
  if (todo === null)
    return await store(workspace, context, { settling, ending: lost("The todo is closed or gone by now."), verified: null });
  if (context.record.act === "poll") return await store(workspace, context, { settling, ending: endingOf(word), verified: null });
  if (word.kind !== "result") return await store(workspace, context, { settling, ending: endingOf(word), verified: null });
  return await settleResult(workspace, context, { settling, todo, result: word.result });
}

async function todoOf({ store }: WritingWorkspace, { record }: TurnContext): Promise<TodoRecord | null> {
  const { goal_id, todo_id } = record;
  const todo = (await store.load({ goal_id, todos: [todo_id], base: "none" })).todos.get(todo_id);
  return todo === undefined || todo.status === "done" ? null : todo;
}

interface Said {
  readonly settling: Settling;
  readonly todo: TodoRecord;
  readonly result: TurnResult;
}

const CHECKED: ReadonlySet<TurnResult["kind"]> = new Set(["validated_completion", "validated_progress", "repair_required"]);

async function settleResult(workspace: WritingWorkspace, context: TurnContext, said: Said): Promise<SettledTurn> {
  const { settling, result, todo } = said;
  const ending = endingOf({ kind: "result", result, usage: settling.word.usage });
  if (!CHECKED.has(result.kind)) return await store(workspace, context, { settling, ending, verified: null });
  const verified = await verify(workspace, context, said);
  if ("code" in verified) return await store(workspace, context, { settling, ending: unproven(verified), verified: null }); // (S3)
  if (result.kind !== "validated_completion") return await store(workspace, context, { settling, ending, verified });
  const flaw = verifiedFlaw(todo, verified.declared, verified.evidence);
  if (flaw !== null) return await store(workspace, context, { settling, ending: notVerified(flaw.message), verified });
  return await finish(workspace, context, { ...said, verified });
}

/** S3. */
async function verify(
  workspace: WritingWorkspace,
  { registered, record }: TurnContext,
  { settling, todo, result }: Said,
): Promise<Verified | Refusal | BadInput> {
  const request = { summary: result.summary, noCache: false };
  const extra = ownChecks(settling.settings);
  for (let tries = 1; ; tries += 1) {
    const verified = await verifyTodo(workspace, { registered, todo, request, extra, marks: turnMarks(record) });
    if (!("code" in verified) || verified.code !== "tree_changed" || tries >= MOST_DISTURBED) return verified;
    await pause(settling, fullJitter(WAIT_UNDISTURBED, tries - 1, settling.random));
  }
}

/** Others that work in the same folder are in step otherwise. */
async function pause({ scheduler }: Settling, milliseconds: number): Promise<void> {
  if (milliseconds > 0) await new Promise<void>((resolve) => scheduler.after(milliseconds, resolve));
}

function ownChecks({ validation }: Settling["settings"]): readonly Check[] {
  if (validation === null) return [];
  const common = { timeout_seconds: VALIDATION_SECONDS, inputs: null, capability: DEFAULT_CAPABILITY };
  return [{ label: "validation of the run", argv: validation, ...common }];
}

function unproven({ code, message }: Refusal | BadInput): Ending {
  return { ...notVerified(message), observation: "", about: "nobody", failure: { kind: code, message } };
}

/** S2. */
async function finish(
  workspace: WritingWorkspace,
  context: TurnContext,
  { settling, result, verified }: Said & { readonly verified: Verified },
): Promise<SettledTurn> {
  const { rows, registered, agent, record } = context;
  const { usage } = settling.word;
  const texts = result.next ?? [];
  const reply = await finishTodo(workspace, {
    rows,
    registered,
    agent,
    turn: record.turn_id,
    request: {
      ...{ goalId: record.goal_id, agentId: agent, todoId: record.todo_id, turnInstanceId: record.turn_id },
      ...{
        summary: result.summary,
        next: texts,
        noFollowUp: result.no_follow_up !== undefined,
        reason: result.no_follow_up ?? null,
      },
      ...{ leaseEpoch: settling.epoch, leaseKey: null, leaseVersion: null },
      ...{ slots: null, tokens: tokensOf(usage), wallMs: usage.wall_ms, noCache: false, dryRun: false },
    },
    successors: texts.map((text) => ({ todo_id: workspace.ids.todoId(), text })),
    gate_id: workspace.ids.todoId(),
    verified,
    marks: turnMarks(record),
    unsaid: "from_plan",
  });
  if (reply.kind === "done") return { end: "completed", summary: result.summary, usage, failure: null, until: null };
  const ending = outwardOf(reply).retry ? lost(reply.message) : unproven(reply);
  return await store(workspace, context, { settling, ending, verified });
}

interface Storing {
  readonly settling: Settling;
  readonly ending: Ending;
  readonly verified: Verified | null;
}

async function store(workspace: WritingWorkspace, context: TurnContext, storing: Storing): Promise<SettledTurn> {
  const { settling, verified } = storing;
  const { word, epoch } = settling;
  const polled = polledBy(workspace, context, word);
  const ending = polled === null ? storing.ending : { ...storing.ending, about: "nobody" as const };
  const hold = holdAfter(workspace, settling);
  const evidence: readonly Evidence[] = verified?.evidence ?? [];
  const observation = ending.observation ?? verified?.observation ?? workspace.digest.sha256(ending.summary).slice(0, 16);
  const written = await writeEnding(workspace, context, {
    ending,
    epoch,
    usage: word.usage,
    evidence,
    observation,
    polled,
    hold,
  });
  const { end, summary, failure } = ending;
  const until = hold?.until ?? ending.wait_until;
  if (written.kind === "written" || written.kind === "replayed") return { end, summary, usage: word.usage, failure, until };
  const { code, message } = written;
  return { end: "failed", summary: message, usage: word.usage, failure: { kind: code, message }, until };
}

/** Null: it was no look at a monitor, or nothing was seen. */
function polledBy({ digest }: WritingWorkspace, { record }: TurnContext, word: HostWord): string | null {
  if (record.act !== "poll" || word.kind !== "result") return null;
  return digest.sha256(`${word.result.kind} ${word.result.summary}`).slice(0, 16);
}

function holdAfter(
  { clock }: WritingWorkspace,
  { word, random }: Settling,
): { readonly until: NonNullable<SettledTurn["until"]>; readonly reason: string } | null {
  if (word.kind !== "failed" || word.failure.kind !== "rate_limited") return null;
  const failure: HostFailure = word.failure;
  const until = retryAt(failure, { attempt: 0, now: clock.now(), random });
  return until === null ? null : { until, reason: "rate_limited" };
}
