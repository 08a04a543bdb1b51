/**
 * The frame of every command that writes to one goal: what people changed in its files is taken in first, then the
 * command is judged on the result, and both are stored in one transaction.
 *
 * Does not own: what the command is (its caller), showing it in the files (`render-plan.ts`, `mirror-run.ts`).
 *
 * T1  A write persists what a read would fold: both go through `reconcileGoal`.
 * T2  A request with an idempotency key is carried out once: the same request again gets the receipt, another request
 *     with that key is refused.
 * T3  A version of the file that was read before another process took in a newer one is never taken for an edit: what
 *     differs from the base must be what stands in the file at that moment. It is read again under the write lock, so that
 *     somebody who saves without end makes nobody wait.
 * T4  An entry that was read before its goal was archived never opens a new generation: the archive has stopped it since.
 */
import type { GoalEventType } from "../core/events.ts";
import type { GoalCommand } from "../core/goal/command.ts";
import type { GoalDraft } from "../core/goal/draft.ts";
import type { GoalHead } from "../core/goal/head.ts";
import type { GoalId, TodoId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import { EMPTY_FRONTIER, type Frontier, type FrontierQuery, frontierOf, todosOf } from "../core/next/frontier.ts";
import { limitedGoal } from "../core/quota/settings-of.ts";
import { type BadInput, type Refusal, refuse } from "../core/result.ts";
import type { Withheld } from "../core/show/view.ts";
import type { LoadedGoal, LoadRequest, PlanBase, Receipt, SpendQuery, SpendWindow, Verdict } from "../ports/store.ts";
import { placesOf } from "./goal-places.ts";
import { ownerOf, stateOf } from "./read-plan.ts";
import { needsTodos, reconcileGoal } from "./reconcile-goal.ts";
import { type RegistryRows, registryRows } from "./registry-rows.ts";
import { readStateFile, type StateReading } from "./state-file.ts";
import { type Actor, beginJudging, changeOf, judge } from "./transact.ts";
import type { GoalSubject } from "./view-key.ts";
import type { WritingWorkspace } from "./workspace.ts";

/** The file was looked at and is the one that was accepted: it need not be read (`unchanged-state.ts`). */
export interface UnchangedState {
  readonly kind: "unchanged";
  readonly fingerprint: string;
}

export interface WriteRequest {
  readonly subject: GoalSubject;
  /** As it was read just before; read again when it is no longer what stands in the file (T3). */
  readonly state: StateReading | UnchangedState;
  readonly actor?: Actor;
  /** What is asked for, on the state that taking in the files left; empty to take them in and no more. */
  readonly commands: (
    draft: GoalDraft,
    state: StateReading,
    material: WriteMaterial,
  ) => readonly GoalCommand[] | Refusal | BadInput;
  /** What a decision in this write is to rest on. */
  readonly frontier?: FrontierQuery;
  readonly spend?: SpendQuery;
  /** Todos that `commands` looks at. */
  readonly todos?: LoadRequest["todos"];
  readonly same_text?: NonNullable<LoadRequest["same_text"]>;
  readonly needs_of?: readonly TodoId[];
  readonly idempotency?: Idempotency;
  /** Judge and answer, store nothing. */
  readonly rehearse: "store" | "rehearse";
}

export interface Idempotency {
  readonly key: string;
  readonly fingerprint: string;
  /** The receipt is kept only when a fact of this type was recorded: an answer of "nothing to do" is given anew each time. */
  readonly proves?: GoalEventType;
}

export interface WriteMaterial {
  readonly at: Instant;
  readonly frontier: Frontier;
  readonly spend: SpendWindow | null;
}

export interface Written {
  readonly kind: "written";
  readonly draft: GoalDraft;
  readonly at: Instant;
  /** Ids of the todos in the state file, in its order; null when it was not read. */
  readonly ids: readonly TodoId[] | null;
  readonly withheld: readonly Withheld[];
  readonly base: PlanBase | null;
}

export interface Replayed {
  readonly kind: "replayed";
  readonly receipt: Receipt;
  readonly head: GoalHead;
}

export type WriteAnswer = Written | Replayed | Refusal | BadInput;

export async function writeGoal(workspace: WritingWorkspace, rows: RegistryRows, request: WriteRequest): Promise<WriteAnswer> {
  let asked = await firstAttempt(workspace, request);
  for (;;) {
    const answer = await attempt(workspace, rows, asked);
    if (typeof answer !== "string") return answer;
    asked = await askedAgain(workspace, rows, { asked, again: answer });
  }
}

async function firstAttempt(workspace: WritingWorkspace, request: WriteRequest): Promise<Attempt> {
  const { goal_id } = request.subject;
  const { state } = request;
  const peek = await workspace.store.load({ goal_id, todos: "none", base: state.kind === "read" ? "text" : "none" });
  if (isOnTheWay(peek.head) && request.rehearse === "store") await finishMove(workspace, goal_id);
  const differs = state.kind !== "unchanged" && needsTodos(peek.base, state);
  return { request, todos: differs ? "all" : (request.todos ?? "none"), is_entry_fresh: false };
}

async function askedAgain(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  { asked, again }: { readonly asked: Attempt; readonly again: Again },
): Promise<Attempt> {
  switch (again) {
    case "load_todos":
      return { ...asked, todos: "all" };
    case "read_state":
      return { ...asked, request: { ...asked.request, state: stateOf(workspace, rows, asked.request.subject) } };
    case "registry_moved":
      return await askedAnew(workspace, asked);
  }
}

function isOnTheWay(head: GoalHead | null): boolean {
  return head?.lifecycle.kind === "archiving" || head?.lifecycle.kind === "restoring";
}

/** Whoever meets a goal on its way to or from an archive brings it there (design 2); what then stands is judged. */
async function finishMove(workspace: WritingWorkspace, goalId: GoalId): Promise<void> {
  await (await import("./archive-finish-moves.ts")).finishMoves(await workspace.moving(), goalId);
}

interface Attempt {
  readonly request: WriteRequest;
  readonly todos: LoadRequest["todos"];
  /** The registry was asked again for this very write. */
  readonly is_entry_fresh: boolean;
}

/** Another process took in another version of the file meanwhile, or changed the registry. */
type Again = "load_todos" | "read_state" | "registry_moved";

/** The same request about what the registry says now. */
async function askedAnew(workspace: WritingWorkspace, asked: Attempt): Promise<Attempt> {
  const { goal_id } = asked.request.subject;
  const rows = await registryRows(workspace);
  const [registered = null] = rows.kind === "done" ? await rows.value.find(goal_id) : [];
  return { ...asked, request: { ...asked.request, subject: { goal_id, registered } }, is_entry_fresh: true };
}

/** (T4) */
function isEntryOld(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  { request, is_entry_fresh, loaded }: Attempt & { readonly loaded: LoadedGoal },
): boolean {
  const opensAnew = loaded.head?.lifecycle.kind === "archived" && request.subject.registered?.goal.activation.state === "active";
  return opensAnew && !is_entry_fresh && workspace.files.fingerprint(rows.path) !== rows.fingerprint;
}

/** (T3) */
function currentState(
  workspace: WritingWorkspace,
  { request, loaded }: Attempt & { readonly loaded: LoadedGoal },
): StateReading | "read_state" {
  const { state, subject } = request;
  if (state.kind === "unchanged") {
    const isBase = loaded.base?.fingerprint === state.fingerprint && loaded.base.sighting === null;
    return isBase ? { kind: "not_declared", since: loaded.base.accepted_at } : "read_state";
  }
  if (state.kind !== "read" || loaded.base === null || loaded.base.text === state.text) return state;
  if (workspace.files.fingerprint(state.path) === state.fingerprint) return state;
  const goal = subject.registered?.goal ?? null;
  const folder = goal === null ? state.path : placesOf(workspace, goal).repo;
  return readStateFile(workspace, state.path, { folder, since: state.changed_at });
}

async function attempt(workspace: WritingWorkspace, rows: RegistryRows, asked: Attempt): Promise<WriteAnswer | Again> {
  const { store } = workspace;
  const load = loadRequest(asked.request, asked.todos);
  const decide = (loaded: LoadedGoal): Verdict<WriteAnswer | Again> => decideOn(workspace, rows, { ...asked, loaded });
  if (asked.request.rehearse === "rehearse") return decide(await store.load(load)).answer;
  return (await store.transact([load], ([loaded]) => decide(loaded ?? emptyGoal(load)))).answer;
}

function loadRequest(request: WriteRequest, todos: LoadRequest["todos"]): LoadRequest {
  const { subject, state, idempotency, frontier, spend, same_text, needs_of } = request;
  return {
    goal_id: subject.goal_id,
    todos,
    base: state.kind === "unchanged" ? "facts" : "text",
    ...(idempotency !== undefined && { receipt: idempotency.key }),
    ...(frontier !== undefined && { frontier }),
    ...(spend !== undefined && { spend }),
    ...(same_text !== undefined && { same_text }),
    ...(needs_of !== undefined && { needs_of }),
  };
}

function emptyGoal({ goal_id }: LoadRequest): LoadedGoal {
  return { goal_id, head: null, todos: new Map(), base: null, receipt: null, frontier: null, spend: null };
}

/** Null: what was read and loaded is what there is to judge. */
function whyAgain(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  { state, ...asked }: Attempt & { readonly loaded: LoadedGoal; readonly state: StateReading },
): Again | null {
  if (isEntryOld(workspace, rows, asked)) return "registry_moved";
  return asked.todos !== "all" && needsTodos(asked.loaded.base, state) ? "load_todos" : null;
}

function decideOn(
  workspace: WritingWorkspace,
  rows: RegistryRows,
  asked: Attempt & { readonly loaded: LoadedGoal },
): Verdict<WriteAnswer | Again> {
  const { loaded } = asked;
  const replay = replayOf(asked.request, loaded);
  if (replay !== null) return { answer: replay, changes: [] };
  const state = currentState(workspace, asked);
  if (state === "read_state") return { answer: state, changes: [] };
  const { request } = asked;
  const again = whyAgain(workspace, rows, { ...asked, state });
  if (again !== null) return { answer: again, changes: [] };
  const wall = workspace.clock.now();
  const declared = request.subject.registered?.goal ?? null;
  const found = reconcileGoal({
    loaded,
    registry: ownerOf(workspace, rows, request.subject),
    declared,
    state,
    now: wall,
  });
  const judged = beginJudging(withFrontier(loaded), wall, request.actor);
  const refusal = judge(judged, found.commands) ?? judgeRequest(judged, { ...asked, state });
  if (refusal !== null) return { answer: refusal, changes: [] };
  const { draft, act } = judged;
  const receipt = receiptOf(request, draft, act.at);
  const base = found.base ?? undefined;
  const change = changeOf(judged, { ...(base !== undefined && { base }), ...(receipt !== null && { receipt }) });
  const answer: Written = {
    kind: "written",
    draft,
    at: act.at,
    ids: found.ids,
    withheld: found.withheld,
    base: found.base ?? loaded.base,
  };
  return { answer, changes: change === null ? [] : [change] };
}

/** What was selected can be acted on: a lease changes nothing that other todos depend on. */
function withFrontier(loaded: LoadedGoal): LoadedGoal {
  return loaded.frontier === null ? loaded : { ...loaded, todos: new Map([...todosOf(loaded.frontier), ...loaded.todos]) };
}

function judgeRequest(
  judged: ReturnType<typeof beginJudging>,
  { request, todos, loaded, state }: Attempt & { readonly loaded: LoadedGoal; readonly state: StateReading },
): Refusal | BadInput | null {
  const { draft, act } = judged;
  const folded =
    todos === "all" && request.frontier !== undefined ? frontierOf(draft.todos.values(), request.frontier, draft.head) : null;
  const material = { at: act.at, frontier: folded ?? loaded.frontier ?? EMPTY_FRONTIER, spend: loaded.spend };
  const commands = request.commands(draft, state, material);
  const { goal_id, registered } = request.subject;
  return "kind" in commands ? commands : judge(judged, commands, limitedGoal(goal_id, registered?.goal ?? null));
}

/** (T2) */
function replayOf(request: WriteRequest, { receipt, head }: LoadedGoal): WriteAnswer | null {
  if (receipt === null || request.idempotency === undefined || head === null) return null;
  if (receipt.fingerprint === request.idempotency.fingerprint) return { kind: "replayed", receipt, head };
  return refuse(
    "idempotency_key_reuse",
    `${request.idempotency.key} was used for another request; give this one a key of its own.`,
    {
      details: { key: receipt.key, seq: receipt.seq, at: receipt.at },
    },
  );
}

function receiptOf({ idempotency }: WriteRequest, draft: GoalDraft, at: Instant): Receipt | null {
  if (idempotency === undefined || draft.head === null) return null;
  const { key, fingerprint, proves } = idempotency;
  if (proves !== undefined && !draft.events.some((event) => event.type === proves)) return null;
  const { generation, seq } = draft.head;
  return { key, fingerprint, goal_id: draft.goal_id, generation, seq, at };
}
