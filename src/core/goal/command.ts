/** What can be asked of a goal: data, judged by `handle`. */
import type { RunFacts } from "../events.ts";
import type { TodoId } from "../id.ts";
import type { PlanChange } from "../plan/compare.ts";
import type { PlanTodo } from "../plan/plan.ts";
import type { GateCommand } from "./gate.ts";
import type { LeaseCommand } from "./lease.ts";
import type { MonitorCommand } from "./monitor.ts";
import type { TodoCommand } from "./todo.ts";
import type { TurnCommand } from "./turn.ts";

export type GoalCommand =
  /** The first thing LoopX learns of a goal, or of a new goal under an id that was used before. */
  | { readonly kind: "open-goal"; readonly registry: string }
  | { readonly kind: "set-activation"; readonly activation: "active" | "stopped"; readonly reason: string }
  /** What a person changed in the state file since `base`; `todo_missing` only where absence is settled (design 3). */
  | { readonly kind: "accept-plan"; readonly changes: readonly PlanChange[]; readonly base: ReadonlyMap<TodoId, PlanTodo> }
  | { readonly kind: "set-next-action"; readonly text: string }
  | { readonly kind: "settle-conflicts"; readonly fields: readonly string[] }
  | { readonly kind: "record-run"; readonly run: RunFacts }
  | { readonly kind: "start-archive"; readonly source: string; readonly target: string }
  | { readonly kind: "finish-archive" }
  | {
      readonly kind: "start-restore";
      readonly source: string;
      readonly target: string;
      /** Whether the generation that stands is the one in the archive. */
      readonly archive: "own" | "foreign";
    }
  | { readonly kind: "finish-restore" }
  | TodoCommand
  | LeaseCommand
  | GateCommand
  | TurnCommand
  | MonitorCommand;
