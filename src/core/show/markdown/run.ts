/** `run` and `turn submit` for people. */
import type { WorkerFact } from "../../host/worker-protocol.ts";
import { code, markdown } from "../escape.ts";
import type { RunPayload, ShownTurn } from "../run.ts";
import { counted, list, page } from "./table.ts";
import { text } from "./words.ts";

export function runPage({ turns, why, fix, until, dry_run }: RunPayload): string {
  const done = turns.filter(({ outcome }) => outcome === "completed").length;
  const headline = dry_run
    ? "Would run (nothing was written)"
    : `${counted(turns.length, "turn")}, ${counted(done, "todo")} done`;
  return page(
    [`# ${headline}`],
    list(turns.map(turnLine)),
    [`${markdown(why)}${until === null ? "" : ` Next look: ${until}.`}`],
    ...(fix === null ? [] : [[`Try: ${code(fix)}`]]),
  );
}

function turnLine({ todo_id, goal_id, outcome, why, summary, duration_ms }: ShownTurn): string {
  const about = todo_id === null ? goal_id : `${goal_id} ${todo_id}`;
  return `${code(about)}: ${outcome}${why === null ? "" : ` (${why})`} in ${duration_ms} ms: ${text(summary, 200)}`;
}

/** One line while it goes on; null: nothing that people need to see. */
export function factLine(fact: WorkerFact): string | null {
  switch (fact.event) {
    case "claimed":
      return `claimed ${fact.todo_id ?? fact.goal_id}: ${text(fact.text, 120)}`;
    case "turn_settled":
      return `${fact.outcome}: ${text(fact.summary, 160)}`;
    case "turn_failed":
      return `failed (${fact.failure.kind}): ${text(fact.failure.message, 160)}`;
    case "waiting":
      return `waiting until ${fact.until} (${fact.why})`;
    case "idle":
      return `nothing to do (${fact.why})`;
    default:
      return null;
  }
}

export function submittedPage({ result }: { readonly result: { readonly kind: string; readonly summary: string } }): string {
  return page([`# Handed over: ${result.kind}`], [markdown(result.summary)]);
}
