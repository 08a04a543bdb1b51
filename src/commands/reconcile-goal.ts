/**
 * What files say of one goal and its journal does not know yet, as commands: registry entry first, then the state file.
 *
 * Does not own: the comparison of state files (`reconcile-plan.ts`), judging (`core/goal`).
 *
 * A1  A goal's journal begins when its registry entry is first seen; after an archive, when the entry is active again.
 * A2  Nothing is taken in for a goal that is on its way to or from an archive, or that lies in one.
 */
import type { GoalCommand } from "../core/goal/command.ts";
import type { GoalHead } from "../core/goal/head.ts";
import type { TodoId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import type { DeclaredGoal } from "../core/registry/registry.ts";
import type { Withheld } from "../core/show/view.ts";
import type { LoadedGoal, PlanBase, Sighting } from "../ports/store.ts";
import { reconcilePlan } from "./reconcile-plan.ts";
import type { StateReading } from "./state-file.ts";

export interface GoalReconciliation {
  readonly commands: readonly GoalCommand[];
  readonly base: PlanBase | null;
  /** What a read remembers of a version of the file in which something is missing. */
  readonly seen: Sighting | null;
  /** Ids of the todos in the state file; null when it was not read. */
  readonly ids: readonly TodoId[] | null;
  readonly withheld: readonly Withheld[];
}

export interface ReconcileInput {
  readonly loaded: LoadedGoal;
  readonly registry: string;
  readonly declared: DeclaredGoal | null;
  readonly state: StateReading;
  readonly now: Instant;
}

const NOTHING: GoalReconciliation = { commands: [], base: null, seen: null, ids: null, withheld: [] };

export function reconcileGoal({ loaded, registry, declared, state, now }: ReconcileInput): GoalReconciliation {
  if (declared === null || declared.activation.state === "invalid") return NOTHING;
  const opens = mustOpen(loaded.head, declared); // (A1)
  if (!opens && isElsewhere(loaded.head)) return NOTHING; // (A2)
  const belongsElsewhere = loaded.head !== null && loaded.head.registry !== registry;
  const opening: readonly GoalCommand[] = opens || belongsElsewhere ? [{ kind: "open-goal", registry }] : [];
  const lifecycle = [...opening, ...activation(opens ? null : loaded.head, declared)];
  if (state.kind !== "read") return { ...NOTHING, commands: lifecycle };
  const plan = reconcilePlan(opens ? { ...loaded, base: null, todos: new Map() } : loaded, state, now);
  return { ...plan, commands: [...lifecycle, ...plan.commands] };
}

/** Whether the state file differs from what was accepted, so that the todos are needed to judge it. */
export function needsTodos(base: PlanBase | null, state: StateReading): boolean {
  return state.kind === "read" && (base === null || base.text !== state.text || base.sighting !== null);
}

function mustOpen(head: GoalHead | null, declared: DeclaredGoal): boolean {
  return head === null || (head.lifecycle.kind === "archived" && declared.activation.state === "active");
}

function isElsewhere(head: GoalHead | null): boolean {
  return head !== null && ["archiving", "archived", "restoring"].includes(head.lifecycle.kind);
}

function activation(head: GoalHead | null, declared: DeclaredGoal): readonly GoalCommand[] {
  const reason = declared.activation.reason ?? "";
  const lifecycle = head?.lifecycle ?? { kind: "active" };
  if (declared.activation.state === "active") {
    return lifecycle.kind === "active" ? [] : [{ kind: "set-activation", activation: "active", reason }];
  }
  const same = lifecycle.kind === "stopped" && lifecycle.reason === reason;
  return same ? [] : [{ kind: "set-activation", activation: "stopped", reason }];
}
