/**
 * How one version of a state file differs from the version that LoopX last accepted, as changes to todos and Next Action.
 *
 * Does not own: whether a change becomes an event (`core/goal`) and when absence may count as withdrawal (`reconcile`).
 */
import type { TodoId } from "../id.ts";
import type { PlanTodo } from "./plan.ts";

/** Fields of a todo that a person can change in the file. */
export type PlanField = "text" | "status" | "role" | "section" | "metadata" | "index";

export type PlanChange =
  | { readonly kind: "todo_appeared"; readonly todo: PlanTodo }
  | { readonly kind: "todo_changed"; readonly todo_id: TodoId; readonly todo: PlanTodo; readonly fields: readonly PlanField[] }
  | {
      readonly kind: "todo_missing";
      readonly todo_id: TodoId;
      /** Is the heading it stood under still there? */
      readonly heading_present: boolean;
    }
  | { readonly kind: "next_action_changed"; readonly before: readonly string[] | null; readonly after: readonly string[] | null };
