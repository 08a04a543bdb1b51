/** `loopx quota set` for people: what may be spent and held now, and what it was. */
import { loopxCommand } from "../../command-line.ts";
import type { QuotaSettings } from "../../registry/quota-settings.ts";
import type { Problem } from "../../result.ts";
import { code } from "../escape.ts";
import { list, page, table } from "./table.ts";
import { problemLine } from "./words.ts";

export interface ShownQuotaSet {
  readonly ok: true;
  readonly goal_id: string | null;
  readonly changed: boolean;
  readonly changed_fields: readonly string[];
  readonly before: QuotaSettings | null;
  readonly after: QuotaSettings;
  readonly dry_run: boolean;
  readonly execute: boolean;
  readonly written: boolean;
  readonly registry: string;
  readonly warnings: readonly Problem[];
}

export function quotaSetPage(answer: ShownQuotaSet): string {
  const { goal_id, registry, before, after, changed_fields, warnings } = answer;
  const [was, is] = [cells(before), cells(after)];
  const whose = goal_id === null ? "all goals, unless they say otherwise" : code(goal_id);
  const rows = [...is].map(([key, now]) => [mark(key, changed_fields), now, was.get(key) ?? "-"]);
  return page(
    [`# ${headline(answer)}`],
    list([`goal: ${whose}`, `registry: ${code(registry)}`]),
    table(["setting", "is", "was"], rows),
    list(warnings.map(problemLine)),
    [nextLine(answer)],
  );
}

function headline({ changed, dry_run }: ShownQuotaSet): string {
  if (!changed) return "The quota is so already: nothing changed";
  return dry_run ? "The quota would be set (nothing was written)" : "The quota is set";
}

function cells(settings: QuotaSettings | null): ReadonlyMap<string, string> {
  if (settings === null) return new Map();
  const { limits, ...quota } = settings;
  const own = Object.entries(quota).map(([key, value]) => [key, value === null ? "no cap" : String(value)] as const);
  const bounds = Object.entries(limits).map(
    ([key, value]) => [`limits.${key}`, value === 0 ? "no limit" : String(value)] as const,
  );
  return new Map([...own, ...bounds]);
}

function mark(key: string, changed: readonly string[]): string {
  return changed.includes(key) ? `${code(key)} *` : code(key);
}

function nextLine({ goal_id, changed, dry_run }: ShownQuotaSet): string {
  if (dry_run && changed) return "Next: the same command without `--dry-run`";
  return `Next: ${code(goal_id === null ? "loopx status" : loopxCommand("goal", "show", "--goal-id", goal_id))}`;
}
