/**
 * Sets quota and limits in the registry, of one goal or of all.
 *
 * Does not own: what the values mean (`core/registry/quota.ts`), the registry's bytes (`edit-registry.ts`), what was spent.
 *
 * V1  Everything that is asked is written, or nothing is: the same command again changes nothing and says so.
 */
import { changedQuotaKeys, type QuotaValues } from "../core/registry/edit-quota.ts";
import { type EntryInText, entryInText } from "../core/registry/entry-in-text.ts";
import type { JsonObject } from "../core/registry/json-node.ts";
import { declaredQuota } from "../core/registry/quota.ts";
import type { QuotaSettings } from "../core/registry/quota-settings.ts";
import { done, type Problem, type Reply, reject } from "../core/result.ts";
import type { QuotaSetRequest } from "./app.ts";
import { editRegistryFile, type RegistryEdit, rehearseEdit } from "./edit-registry.ts";
import { editable } from "./goal-edit.ts";
import type { WritingWorkspace } from "./workspace.ts";

export interface QuotaSetAnswer {
  readonly ok: true;
  /** Null: what holds for all goals of the registry. */
  readonly goal_id: string | null;
  readonly changed: boolean;
  readonly changed_fields: readonly string[];
  /** As they count, with what is inherited; null for settings that could not be understood. */
  readonly before: QuotaSettings | null;
  readonly after: QuotaSettings;
  readonly dry_run: boolean;
  readonly execute: boolean;
  readonly written: boolean;
  readonly registry: string;
  readonly warnings: readonly Problem[];
}

export async function quotaSet(workspace: WritingWorkspace, request: QuotaSetRequest): Promise<Reply<QuotaSetAnswer>> {
  const values = valuesOf(request);
  if (Object.keys(values.quota).length + Object.keys(values.limits).length === 0)
    return reject("nothing_to_set", "Nothing to set: name at least one value, as in --compute 0.5.");
  const goal = request.goalId === null ? done(null) : await editable(workspace, request.goalId);
  if (goal.kind !== "done") return goal;
  const goal_id = goal.value?.goal.goal_id ?? null;
  const change = { kind: "set_quota", goal_id, values } as const;
  const edited = request.dryRun ? await rehearseEdit(workspace, change) : await editRegistryFile(workspace, change);
  if (edited.kind !== "done") return edited;
  return done(answerOf(edited.value, { goal_id, values, dry_run: request.dryRun }));
}

/** What the request leaves out stays as it is. */
function valuesOf(request: QuotaSetRequest): QuotaValues {
  const { profile, compute, windowHours, slotMinutes, allowedSlots, tokens, wallMinutes, limits } = request;
  const quota = {
    ...(profile !== null && { profile }),
    ...(compute !== null && { compute }),
    ...(windowHours !== null && { window_hours: windowHours }),
    ...(slotMinutes !== null && { slot_minutes: slotMinutes }),
    ...(allowedSlots !== null && { allowed_slots: allowedSlots }),
    ...(tokens !== null && { tokens }),
    ...(wallMinutes !== null && { wall_minutes: wallMinutes }),
  };
  return { quota, limits };
}

interface Asked {
  readonly goal_id: string | null;
  readonly values: QuotaValues;
  readonly dry_run: boolean;
}

function answerOf({ changed, registry, text }: RegistryEdit, { goal_id, values, dry_run }: Asked): QuotaSetAnswer {
  const [before, after] = [entryInText(text.before, goal_id), entryInText(text.after, goal_id)];
  const quota = declaredQuota(after.root, after.goal);
  if (quota.kind === "invalid") throw new Error("an invalid quota was accepted");
  return {
    ok: true,
    goal_id,
    changed,
    changed_fields: changedQuotaKeys(values, { before: ownerOf(before), after: ownerOf(after) }),
    before: settingsIn(before),
    after: quota.settings,
    dry_run,
    execute: !dry_run,
    written: changed && !dry_run,
    registry,
    warnings: quota.warnings.map(({ code, message }) => ({ code, message })),
  };
}

function ownerOf({ root, goal }: EntryInText): JsonObject {
  return goal?.entry ?? root;
}

function settingsIn({ root, goal }: EntryInText): QuotaSettings | null {
  const quota = declaredQuota(root, goal);
  return quota.kind === "set" ? quota.settings : null;
}
