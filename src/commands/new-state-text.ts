/**
 * The state file of a new goal: the sections that people and agents fill, in the reference's words.
 *
 * N1  Whatever the objective says, it is one paragraph of its section: it opens no heading, fence or comment.
 */
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

${paragraph(objective)}

## User Todo / Owner Review Reading Queue

## Agent Todo

## Next Action

## Recent User Feedback

## Progress Ledger
`;
}

/** (N1) A backslash takes a character's meaning in Markdown and shows as nothing. */
function paragraph(text: string): string {
  return collapse(text)
    .replaceAll("<!--", "\\<!--")
    .replace(/^(?=#|`{3}|~{3}|-{3}|={3})/, "\\");
}
