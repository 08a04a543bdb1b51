/**
 * The goal of a simulated world in its store: the same frame as `write-goal.ts`, without files.
 *
 * Does not own: what is asked (`asked.ts`), what is checked of it (`core/sim`).
 *
 * G1  Every write goes load → reconcile → judge → commit through the store's port, and every decision rests on what the store
 *     found for it.
 */
import type { GoalCommand } from "../../core/goal/command.ts";
import type { GoalDraft } from "../../core/goal/draft.ts";
import type { Instant } from "../../core/instant.ts";
import { EMPTY_FRONTIER, todosOf } from "../../core/next/frontier.ts";
import type { BadInput, Refusal } from "../../core/result.ts";
import type { Step } from "../../core/sim/step.ts";
import { isFault } from "../../errors.ts";
import type { GoalChange, LoadedGoal, LoadRequest, Receipt, Store } from "../../ports/store.ts";
import { nowFor } from "../goal-clock.ts";
import { reconcileGoal } from "../reconcile-goal.ts";
import type { RegisteredGoal } from "../registry-rows.ts";
import { type Actor, beginJudging, changeOf, judge } from "../transact.ts";
import type { Idempotency, WriteMaterial } from "../write-goal.ts";

export interface SimGoal {
  readonly store: Store;
  readonly registered: () => RegisteredGoal;
  readonly wall: () => Instant;
  /** Of a frontier that is asked for first. */
  readonly page: number;
}

export interface SimWrite {
  readonly actor: Actor;
  readonly load: Omit<LoadRequest, "goal_id" | "base">;
  readonly idempotency: Idempotency | null;
  readonly commands: (draft: GoalDraft, material: WriteMaterial) => readonly GoalCommand[] | Refusal | BadInput;
}

/** What a step says of a write. */
export interface SimWritten
  extends Pick<Step, "at" | "before" | "events" | "head" | "put" | "removed" | "refused" | "replayed" | "failed"> {
  readonly draft: GoalDraft | null;
  readonly receipt: Receipt | null;
}

export const REGISTRY = "/simulated/.loopx/registry.json";

/** G1. */
export async function write(goal: SimGoal, asked: SimWrite): Promise<SimWritten> {
  const { goal_id } = goal.registered().goal;
  const request: LoadRequest = {
    goal_id,
    base: "none",
    ...asked.load,
    ...(asked.idempotency !== null && { receipt: asked.idempotency.key }),
  };
  let written = nothing(goal, null);
  try {
    await goal.store.transact([request], ([loaded]) => {
      const verdict = decideOn(goal, asked, loaded as LoadedGoal);
      written = verdict.written;
      return { answer: null, changes: verdict.change === null ? [] : [verdict.change] };
    });
    return written;
  } catch (thrown) {
    if (!isFault(thrown)) throw thrown;
    return { ...nothing(goal, written.before), failed: true };
  }
}

function nothing(goal: SimGoal, head: SimWritten["before"]): SimWritten {
  const at = nowFor(head, goal.wall());
  const plain = { refused: null, replayed: false, failed: false, draft: null, receipt: null };
  return { at, before: head, events: [], head: null, put: [], removed: [], ...plain };
}

interface Judgement {
  readonly written: SimWritten;
  readonly change: GoalChange | null;
}

function decideOn(goal: SimGoal, asked: SimWrite, loaded: LoadedGoal): Judgement {
  const empty = nothing(goal, loaded.head);
  const { idempotency } = asked;
  if (loaded.receipt !== null && idempotency !== null) {
    const same = loaded.receipt.fingerprint === idempotency.fingerprint;
    const answer = same ? { replayed: true, receipt: loaded.receipt } : { refused: "idempotency_key_reuse" };
    return { written: { ...empty, ...answer }, change: null };
  }
  const judged = beginJudging(withFrontier(loaded), goal.wall(), asked.actor);
  const refusal = judgeAll(goal, asked, { loaded, judged });
  if (refusal !== null) return { written: { ...empty, refused: refusal.code }, change: null };
  const { draft } = judged;
  const receipt = receiptOf(asked, draft, judged.act.at);
  const change = changeOf(judged, receipt === null ? {} : { receipt });
  const stored = { events: draft.events, head: draft.head, put: change?.todos_put ?? [], removed: change?.todos_removed ?? [] };
  return { written: { ...empty, ...stored, draft }, change };
}

/** As in `write-goal.ts`: what the frontier found can be acted on. */
function withFrontier(loaded: LoadedGoal): LoadedGoal {
  return loaded.frontier === null ? loaded : { ...loaded, todos: new Map([...todosOf(loaded.frontier), ...loaded.todos]) };
}

function judgeAll(
  goal: SimGoal,
  { commands }: SimWrite,
  { loaded, judged }: { readonly loaded: LoadedGoal; readonly judged: ReturnType<typeof beginJudging> },
): Refusal | BadInput | null {
  const now = goal.wall();
  const declared = goal.registered().goal;
  const found = reconcileGoal({ loaded, registry: REGISTRY, declared, state: { kind: "not_declared", since: now }, now });
  const refusal = judge(judged, found.commands);
  if (refusal !== null) return refusal;
  const material = { at: judged.act.at, frontier: loaded.frontier ?? EMPTY_FRONTIER, spend: loaded.spend };
  const asked = commands(judged.draft, material);
  return "kind" in asked ? asked : judge(judged, asked);
}

function receiptOf({ idempotency }: SimWrite, draft: GoalDraft, at: Instant): Receipt | null {
  if (idempotency === null || draft.head === null) return null;
  const { key, fingerprint, proves } = idempotency;
  if (!draft.events.some((event) => event.type === proves)) return null;
  const { generation, seq } = draft.head;
  return { key, fingerprint, goal_id: draft.goal_id, generation, seq, at };
}
