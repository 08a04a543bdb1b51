/** The state file of a new goal: the sections that people and agents fill, in the reference's words. */
import { type Instant, toRunTime } from "../core/instant.ts";
import { collapse } from "../core/plan/white-space.ts";

export function newStateText({
  goal_id,
  objective,
  now,
}: {
  readonly goal_id: string;
  readonly objective: string;
  readonly now: Instant;
}): string {
  return `---
goal_id: ${goal_id}
status: active
updated_at: "${toRunTime(now)}"
---
# ${goal_id}

## Objective

${collapse(objective)}

## User Todo / Owner Review Reading Queue

## Agent Todo

## Next Action

## Recent User Feedback

## Progress Ledger
`;
}
