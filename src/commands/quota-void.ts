/**
 * Takes a spend back: `quota void-slot` appends the event that reverses it.
 *
 * V1  A spend is voided once, whoever asks and for whatever reason.
 */
import { loopxCommand } from "../core/command-line.ts";
import type { GoalEvent } from "../core/events.ts";
import type { GoalId } from "../core/id.ts";
import { type Instant, parseInstant, toRunTime } from "../core/instant.ts";
import { type BadInput, done, type Reply, reject } from "../core/result.ts";
import type { VoidPayload } from "../core/show/markdown/void.ts";
import type { Acting } from "./acting.ts";
import type { VoidSlotRequest } from "./app.ts";
import { quotaNow } from "./quota-now.ts";
import { findWritable, registryRows } from "./registry-rows.ts";
import type { Workspace, WritingWorkspace } from "./workspace.ts";
import { writeAndShow } from "./write-and-show.ts";

const PAGE = 500;

type Spent = Extract<GoalEvent, { type: "turn.spent" }>;

export async function quotaVoidSlot(workspace: WritingWorkspace, request: VoidSlotRequest): Promise<Reply<VoidPayload>> {
  const flaw = requestFlaw(request);
  if (flaw !== null) return flaw;
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const registered = await findWritable(rows.value, request.goalId);
  if (registered.kind !== "done") return registered;
  const { goal } = registered.value;
  const found = await spentEvent(workspace, goal.goal_id, request);
  if (found.kind !== "done") return found;
  return await takeBack(
    workspace,
    { rows: rows.value, registered: registered.value, agent: null },
    { request, spent: found.value },
  );
}

function requestFlaw({ voidSeq, voidGeneratedAt, reason }: VoidSlotRequest): BadInput | null {
  if ((voidSeq === null) === (voidGeneratedAt === null))
    return reject("option_conflict", "Say which spend it is: either --void-seq N or --void-generated-at TIME.");
  return reason.trim() === "" ? reject("reason_empty", "Say why the spend is taken back: --reason-summary.") : null;
}

async function takeBack(
  workspace: WritingWorkspace,
  acting: Acting,
  { request, spent }: { readonly request: VoidSlotRequest; readonly spent: Spent },
): Promise<Reply<VoidPayload>> {
  const { goal } = acting.registered;
  const { seq, generation, data, at } = spent;
  const before = (await quotaNow(workspace, goal))?.quota ?? null;
  const written = await writeAndShow(workspace, acting, {
    dryRun: request.dryRun,
    idempotency: { key: `void ${generation}.${seq}`, fingerprint: `void ${seq}`, proves: "turn.voided" }, // (V1)
    commands: () => [{ kind: "void-spend", spent_seq: seq, units: data.units, reason: request.reason }],
  });
  if (written.kind === "refusal" || written.kind === "bad_input") return written;
  const replayed = written.kind === "replayed";
  return done({
    ok: true,
    mode: "void-slot",
    goal_id: goal.goal_id,
    voided_seq: seq,
    voided_generated_at: toRunTime(at),
    units: data.units,
    appended: !replayed && !request.dryRun,
    dry_run: request.dryRun,
    reason: replayed ? "it was taken back before" : request.dryRun ? "--execute does it" : request.reason,
    before,
    after: (await quotaNow(workspace, goal))?.quota ?? null,
    warnings: replayed ? [] : written.warnings,
  });
}

async function spentEvent(workspace: Workspace, goalId: GoalId, request: VoidSlotRequest): Promise<Reply<Spent>> {
  if (request.voidSeq !== null) return await bySeq(workspace, goalId, request.voidSeq);
  const text = request.voidGeneratedAt ?? "";
  const at = parseInstant(text);
  if (at === null) return reject("time_invalid", `${JSON.stringify(text)} is no time.`);
  const [first, second] = await spentIn(workspace, goalId, at);
  if (first === undefined) return unknownSpend(goalId, `at ${text}`);
  if (second === undefined) return done(first);
  return reject("spend_ambiguous", `Several spends of goal ${goalId} are of ${text}: name one with --void-seq.`, {
    near: [String(first.seq), String(second.seq)],
  });
}

async function bySeq({ store }: Workspace, goal_id: GoalId, seq: number): Promise<Reply<Spent>> {
  const query = { goal_id, type: "turn.spent", order: "newest_first", beyond_seq: seq + 1, limit: 1 } as const;
  const [event] = await store.events(query);
  return event?.type === "turn.spent" && event.seq === seq ? done(event) : unknownSpend(goal_id, `with number ${seq}`);
}

/** As the reference writes times: to the second, unless the milliseconds were named too. */
async function spentIn({ store }: Workspace, goal_id: GoalId, at: Instant): Promise<readonly Spent[]> {
  const matches = (event: Spent): boolean => event.at === at || toRunTime(event.at) === toRunTime(at);
  const found: Spent[] = [];
  for (let beyond_seq: number | undefined; ; ) {
    const page = await store.events({
      goal_id,
      type: "turn.spent",
      order: "newest_first",
      limit: PAGE,
      ...(beyond_seq !== undefined && { beyond_seq }),
    });
    found.push(...page.filter((event) => event.type === "turn.spent").filter(matches));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return exact(found, at);
    beyond_seq = last.seq;
  }
}

function exact(found: readonly Spent[], at: Instant): readonly Spent[] {
  const same = found.filter((event) => event.at === at);
  return same.length === 1 ? same : found;
}

function unknownSpend(goalId: string, which: string): Reply<never> {
  return reject("unknown_spend", `Goal ${goalId} has no spend ${which}.`, {
    fix: loopxCommand("goal", "show", "--goal-id", goalId),
  });
}
