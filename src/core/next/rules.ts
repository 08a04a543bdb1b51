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

export const RULES: readonly Rule[] = [
  stateUnreadable,
  atRest,
  quotaInvalid,
  paused,
  rateLimited,
  throttled,
  stalledLease,
  continueLease,
  monitorDue,
  monitorOnly,
  stalledWork,
  outsideScope,
  bestWork,
  gap,
  woke,
  capability,
  heldByPerson,
  userAction,
  peersOwn,
  waitingOn,
  nextDue,
  complete,
  empty,
];
