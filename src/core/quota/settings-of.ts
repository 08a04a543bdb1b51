/** The settings of a goal that is to spend, or why it may not: what cannot be understood is never "no limit". */
import { PROFILES, type QuotaSettings } from "../registry/quota-settings.ts";
import type { DeclaredGoal } from "../registry/registry.ts";
import { type Refusal, refuse } from "../result.ts";
import type { LimitedGoal } from "./limits.ts";

export type Settings = { readonly kind: "set"; readonly settings: QuotaSettings } | Refusal;

export function settingsOf({ quota, goal_id }: Pick<DeclaredGoal, "quota" | "goal_id">): Settings {
  if (quota.kind === "set") return { kind: "set", settings: quota.settings };
  const message = quota.problems[0]?.message ?? "its settings cannot be understood";
  return refuse("quota_invalid", `The quota of goal ${goal_id} cannot be used: ${message}.`, {
    details: { goal_id, problems: quota.problems },
    fix: "loopx registry",
  });
}

/** What cannot be understood, or is not declared at all, gets the narrower numbers. */
export function limitedGoal(goal_id: string, declared: Pick<DeclaredGoal, "quota"> | null): LimitedGoal {
  return { goal_id, limits: declared?.quota.kind === "set" ? declared.quota.settings.limits : PROFILES.interactive };
}
