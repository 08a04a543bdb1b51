/** `quota hold` and `quota resume`: what they answer, and the page of it. */
import { loopxCommand } from "../../command-line.ts";
import type { Problem } from "../../result.ts";
import { code, markdown } from "../escape.ts";
import { list, page } from "./table.ts";
import { problemLine } from "./words.ts";

export interface WaitPayload {
  readonly ok: true;
  readonly goal_id: string;
  readonly agent_id: string;
  readonly appended: boolean;
  readonly dry_run: boolean;
  /** Null: it waits no longer. */
  readonly until: string | null;
  readonly reason: string;
  readonly then: readonly string[];
  readonly warnings: readonly Problem[];
}

export function waitPayload(facts: Omit<WaitPayload, "ok" | "then">): WaitPayload {
  const { goal_id, agent_id } = facts;
  return { ok: true, ...facts, then: [loopxCommand("next", "--goal-id", goal_id, "--agent-id", agent_id)] };
}

export function waitPage(answer: WaitPayload): string {
  const { goal_id, agent_id, until, reason, then, warnings } = answer;
  return page(
    [`# ${headline(answer)}`],
    list([
      `agent: ${code(agent_id)} of goal ${code(goal_id)}`,
      ...(until === null ? [] : [`until: ${until}`]),
      `why: ${markdown(reason)}`,
      ...warnings.map(problemLine),
    ]),
    [`Next: ${then.map(code).join(" or ")}`],
  );
}

function headline({ until, appended, dry_run }: WaitPayload): string {
  if (dry_run) return until === null ? "Would go on (nothing was written)" : "Would wait (nothing was written)";
  if (until !== null) return "The agent waits";
  return appended ? "The agent goes on" : "The agent was not waiting: nothing changed";
}
