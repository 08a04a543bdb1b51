import type { LimitKey, QuotaLimits, QuotaProfile } from "../../../core/registry/quota-settings.ts";
import { reject } from "../../../core/result.ts";
import { quotaSetPage } from "../../../core/show/markdown/quota-set.ts";
import type { Run } from "../command.ts";
import type { Options } from "../given.ts";
import type { NumberName } from "../options.ts";
import { shown } from "../shown.ts";

export const quotaSet: Run = async (context, options) => {
  const goalId = options.text("goal-id");
  if ((goalId === null) !== options.flag("root"))
    return reject("option_conflict", "Say whose quota it is: either --goal-id ID, or --root for all goals of the registry", {
      fix: "loopx quota set --help",
    });
  const app = await context.app();
  const reply = await app.quotaSet({
    goalId,
    profile: profileOf(options),
    compute: options.number("compute"),
    windowHours: options.number("window-hours"),
    slotMinutes: options.number("slot-minutes"),
    allowedSlots: options.number("allowed-slots"),
    tokens: options.number("tokens"),
    wallMinutes: options.number("wall-minutes"),
    limits: limitsOf(options),
    dryRun: options.flag("dry-run"),
  });
  return shown(reply, quotaSetPage);
};

function profileOf(options: Options): QuotaProfile | null {
  const profile = options.text("profile");
  return profile === "interactive" || profile === "batch" ? profile : null;
}

const LIMITS: readonly (readonly [key: LimitKey, option: NumberName])[] = [
  ["max_open_todos", "limit-open-todos"],
  ["max_running_tasks", "limit-running-tasks"],
  ["max_runtime_bytes", "limit-runtime-bytes"],
  ["max_event_bytes", "limit-event-bytes"],
  ["max_cache_entries", "limit-cache-entries"],
  ["max_cache_bytes", "limit-cache-bytes"],
];

function limitsOf(options: Options): Partial<QuotaLimits> {
  const given = LIMITS.map(([key, option]) => [key, options.number(option)] as const);
  return Object.fromEntries(given.filter(([, limit]) => limit !== null));
}
