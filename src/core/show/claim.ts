/**
 * What `claim` answers: the todo and the lease on it, or why there is none.
 *
 * K1  At most 2 KiB as `printJson` writes it, whatever the todo says: its texts and metadata are shortened until it fits, and `left_out`
 *     counts them and has the command that shows the whole. Ids, the lease and what became of the claim are whole.
 */

import { loopxCommand } from "../command-line.ts";
import type { Lease, TodoRecord } from "../events.ts";
import { leaseKey } from "../goal/fence.ts";
import type { Decision } from "../next/decision.ts";
import type { Problem } from "../result.ts";
import { cutter } from "./cutter.ts";
import { DECISION_BYTES, type DecisionPayload, decisionForms, firstThatFits } from "./decision.ts";

export interface ClaimFacts {
  readonly goal_id: string;
  readonly agent_id: string;
  readonly todo: TodoRecord | null;
  readonly lease: Lease | null;
  readonly decision: Decision | null;
  readonly dry_run: boolean;
  readonly replay: boolean;
  readonly warnings: readonly Problem[];
}

export interface ClaimPayload {
  readonly ok: true;
  readonly goal_id: string;
  readonly agent_id: string;
  readonly claimed: boolean;
  readonly idempotent_replay: boolean;
  readonly dry_run: boolean;
  readonly todo: ShownClaim | null;
  readonly lease: ShownLease | null;
  /** Why there is nothing to claim, and when to ask again. */
  readonly decision: Pick<DecisionPayload, "act" | "why" | "because" | "wait" | "tell" | "token"> | null;
  readonly then: readonly string[];
  readonly warnings: readonly Problem[];
  /** Of the todo; absent: it is whole. */
  readonly left_out?: ClaimLeftOut;
}

export interface ClaimLeftOut {
  /** Texts that were shortened. */
  readonly texts: number;
  /** Entries of the metadata that are not shown. */
  readonly metadata: number;
  readonly get: readonly string[];
}

export interface ShownClaim {
  readonly todo_id: string;
  readonly text: string;
  readonly priority: number | null;
  readonly task_class: string | null;
  readonly metadata: TodoRecord["metadata"];
}

export interface ShownLease {
  readonly key: string;
  readonly owner: string;
  readonly epoch: number;
  readonly version: number;
  readonly expires_at: string;
  readonly ttl_seconds: number;
  readonly instance?: string;
}

/** (K1) */
export function claimPayload(facts: ClaimFacts): ClaimPayload {
  const { todo, lease } = facts;
  const forms = todo === null || lease === null ? unclaimedForms(facts) : claimedForms(facts, { todo, lease });
  return firstThatFits(forms, DECISION_BYTES);
}

function unclaimedForms(facts: ClaimFacts): readonly (() => ClaimPayload)[] {
  const { goal_id, agent_id, lease, decision } = facts;
  const rest = { claimed: false, todo: null, lease: lease === null ? null : shownLease(goal_id, lease) } as const;
  if (decision === null) return FORMS.map((form) => () => answer(facts, form, { ...rest, decision: null, then: [] }));
  return decisionForms(decision, { goal_id, agent_id }).map((shownIn, at) => () => {
    const shown = shownIn();
    return answer(facts, FORMS[at] ?? LEAST, { ...rest, decision: withoutTodo(shown), then: shown.then });
  });
}

interface Held {
  readonly todo: TodoRecord;
  readonly lease: Lease;
}

function claimedForms(facts: ClaimFacts, { todo, lease }: Held): readonly (() => ClaimPayload)[] {
  return FORMS.map((form) => () => {
    const { shown, left_out } = fittedTodo(facts.goal_id, todo, form);
    const then = commandsWith(facts, lease, todo).slice(0, form.commands);
    const told = { claimed: true, todo: shown, lease: shownLease(facts.goal_id, lease), decision: null, then };
    return { ...answer(facts, form, told), ...(left_out !== null && { left_out }) };
  });
}

interface Form {
  readonly text: number;
  /** Of an entry of the metadata. */
  readonly value: number;
  readonly entries: number;
  /** Of a warning. */
  readonly message: number;
  readonly commands: number;
}

const ALL = Number.POSITIVE_INFINITY;
const LEAST: Form = { text: 16, value: 0, entries: 0, message: 1, commands: 1 };

/** From the fullest to the smallest; the text stays longest, it is what is to be done. */
const FORMS: readonly Form[] = [
  { text: ALL, value: ALL, entries: ALL, message: ALL, commands: 3 },
  { text: 900, value: 160, entries: ALL, message: 160, commands: 3 },
  { text: 600, value: 80, entries: 12, message: 80, commands: 3 },
  { text: 450, value: 80, entries: 8, message: 80, commands: 3 },
  { text: 300, value: 40, entries: 8, message: 80, commands: 3 },
  { text: 200, value: 40, entries: 6, message: 40, commands: 3 },
  { text: 120, value: 40, entries: 6, message: 40, commands: 3 },
  { text: 80, value: 40, entries: 4, message: 40, commands: 3 },
  { text: 80, value: 40, entries: 0, message: 40, commands: 2 },
  { text: 40, value: 40, entries: 0, message: 40, commands: 1 },
  LEAST,
  { ...LEAST, commands: 0 },
];

type Told = Pick<ClaimPayload, "claimed" | "todo" | "lease" | "decision" | "then">;

function answer(facts: ClaimFacts, form: Form, { claimed, todo, lease, decision, then }: Told): ClaimPayload {
  const { goal_id, agent_id, replay, dry_run, warnings } = facts;
  return {
    ok: true,
    goal_id,
    agent_id,
    claimed,
    idempotent_replay: replay,
    dry_run,
    todo,
    lease,
    decision,
    then,
    warnings: warnings.map((each) => shortWarning(each, form.message)),
  };
}

function shortWarning({ path, message, ...problem }: Problem, limit: number): Problem {
  const cut = cutter(limit);
  return { ...(path !== undefined && { path: cut.path(path) }), ...problem, message: cut.text(message) };
}

function withoutTodo({ act, why, because, wait, tell, token }: DecisionPayload): NonNullable<ClaimPayload["decision"]> {
  return { act, why, because, wait, tell, token };
}

interface FittedTodo {
  readonly shown: ShownClaim;
  readonly left_out: ClaimLeftOut | null;
}

function fittedTodo(goalId: string, { todo_id, text, priority, task_class, metadata }: TodoRecord, form: Form): FittedTodo {
  const [words, values] = [cutter(form.text), cutter(form.value)];
  const all = Object.entries(metadata);
  const entries = all.slice(0, form.entries).map(([key, value]) => [key, values.text(value)] as const);
  const shown = { todo_id, text: words.text(text), priority, task_class, metadata: Object.fromEntries(entries) };
  const [texts, dropped] = [words.count() + values.count(), all.length - entries.length];
  const about = form.commands === 0 ? [] : ["--goal-id", goalId];
  const get = [loopxCommand("todo", "show", ...about, "--todo-id", todo_id)];
  return { shown, left_out: texts + dropped === 0 ? null : { texts, metadata: dropped, get } };
}

/** `key` names what is leased, everywhere in the fleet. */
export function shownLease(goalId: string, lease: Lease): ShownLease {
  const { owner, epoch, version, expires_at, ttl_ms, instance } = lease;
  return {
    key: leaseKey(goalId, lease),
    owner,
    epoch,
    version,
    expires_at,
    ttl_seconds: ttl_ms / 1000,
    ...(instance !== undefined && { instance }),
  };
}

function commandsWith({ goal_id, agent_id }: ClaimFacts, { epoch }: Lease, { todo_id }: TodoRecord): readonly string[] {
  const about = ["--goal-id", goal_id, "--agent-id", agent_id, "--todo-id", todo_id, "--lease-epoch", String(epoch)];
  return [
    loopxCommand("done", ...about, "--summary", "…", "--next", "…"),
    loopxCommand("done", ...about, "--summary", "…", "--no-follow-up", "--reason", "…"),
    loopxCommand("lease", "renew", ...about),
  ];
}
