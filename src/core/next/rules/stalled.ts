import type { TodoRecord } from "../../events.ts";
import type { Finding } from "../decision.ts";
import type { Rule } from "../rule.ts";

const FAILURES = 2;
const QUIET_TURNS = 3;

/** Before going on: what was tried again and again without anything new wants another plan, not another turn. */
export const stalledLease: Rule = ({ mine }) => findingOn(mine?.todo ?? null);

/** Before work is begun. */
export const stalledWork: Rule = ({ work }) => findingOn(work);

function findingOn(todo: TodoRecord | null): Finding | null {
  if (todo === null || !isStalled(todo)) return null;
  const { failures, quiet } = todo.stall ?? { failures: 0, quiet: 0 };
  const because = failures >= FAILURES ? `${failures} turns failed in the same way` : `${quiet} turns brought nothing new`;
  return { act: "replan", why: "stalled", because, todo };
}

export function isStalled({ stall }: TodoRecord): boolean {
  return stall !== undefined && (stall.failures >= FAILURES || stall.quiet >= QUIET_TURNS);
}
