/** The decision as one list: the first rule that says something answers (decision-plane 13.4). */

import type { Rule } from "./rule.ts";
import { atRest } from "./rules/at-rest.ts";
import { capability } from "./rules/capability.ts";
import { complete } from "./rules/complete.ts";
import { continueLease } from "./rules/continue-lease.ts";
import { empty } from "./rules/empty.ts";
import { gap } from "./rules/gap.ts";
import { heldByPerson } from "./rules/held-by-person.ts";
import { monitorDue } from "./rules/monitor-due.ts";
import { monitorOnly } from "./rules/monitor-only.ts";
import { nextDue } from "./rules/next-due.ts";
import { outsideScope } from "./rules/outside-scope.ts";
import { paused } from "./rules/paused.ts";
import { peersOwn } from "./rules/peers-own.ts";
import { quotaInvalid } from "./rules/quota-invalid.ts";
import { rateLimited } from "./rules/rate-limited.ts";
import { stalledLease, stalledWork } from "./rules/stalled.ts";
import { stateUnreadable } from "./rules/state-unreadable.ts";
import { throttled } from "./rules/throttled.ts";
import { userAction } from "./rules/user-action.ts";
import { waitingOn } from "./rules/waiting-on.ts";
import { woke } from "./rules/woke.ts";
import { bestWork } from "./rules/work.ts";

/** With the names they are shown under. */
export const NAMED_RULES: readonly (readonly [name: string, rule: Rule])[] = [
  ["state-unreadable", stateUnreadable],
  ["at-rest", atRest],
  ["quota-invalid", quotaInvalid],
  ["paused", paused],
  ["rate-limited", rateLimited],
  ["throttled", throttled],
  ["stalled-lease", stalledLease],
  ["continue-lease", continueLease],
  ["monitor-due", monitorDue],
  ["monitor-only", monitorOnly],
  ["stalled-work", stalledWork],
  ["outside-scope", outsideScope],
  ["work", bestWork],
  ["gap", gap],
  ["woke", woke],
  ["capability", capability],
  ["held-by-person", heldByPerson],
  ["user-action", userAction],
  ["peers-own", peersOwn],
  ["waiting-on", waitingOn],
  ["next-due", nextDue],
  ["complete", complete],
  ["empty", empty],
];

export const RULES: readonly Rule[] = NAMED_RULES.map(([, rule]) => rule);
