/** What every repair of a drift gets and gives. */
import type { Drift } from "../core/drift/drift.ts";
import type { RegistryRows } from "./registry-rows.ts";
import type { GoalSubject } from "./view-key.ts";
import type { WritingWorkspace } from "./workspace.ts";

export interface Fix {
  readonly subject: GoalSubject;
  readonly drift: Drift;
}

export interface Repaired {
  readonly outcome: "fixed" | "not_fixed";
  /** What was done, or why it could not be. */
  readonly message: string;
}

export type Repair = (workspace: WritingWorkspace, rows: RegistryRows, fix: Fix) => Promise<Repaired>;

export function repaired(message: string): Repaired {
  return { outcome: "fixed", message };
}

export function notRepaired(message: string): Repaired {
  return { outcome: "not_fixed", message };
}
