/** `evidence add`, `list` and `show` for people. */
import { loopxCommand } from "../../command-line.ts";
import { code, markdown } from "../escape.ts";
import type { EvidenceAddPayload, EvidenceListPayload, EvidenceShowPayload, ShownEvidence } from "../evidence.ts";
import { list, page, table } from "./table.ts";
import { problemLine } from "./words.ts";

export function evidenceAddPage(answer: EvidenceAddPayload): string {
  const { goal_id, added, dry_run, evidence, dropped_bytes, warnings } = answer;
  const headline = added ? "Recorded" : dry_run ? "Would be recorded (nothing was written)" : "Recorded before";
  return page(
    [`# ${headline}`],
    list([
      ...(evidence === null ? [] : facts(evidence)),
      ...(dropped_bytes > 0 ? [`${dropped_bytes} bytes in the middle of the output were left out`] : []),
      ...warnings.map(problemLine),
    ]),
    [`Next: ${code(loopxCommand("evidence", "list", "--goal-id", goal_id))}`],
  );
}

export function evidenceListPage({ goal_id, evidence, left_out }: EvidenceListPayload): string {
  const rows = evidence.map(({ seq, at, label, outcome, todo_id }) => [
    String(seq),
    at,
    markdown(label),
    outcome,
    todo_id ?? "-",
  ]);
  return page(
    [`# Evidence of ${markdown(goal_id)}`],
    rows.length === 0 ? ["None."] : table(["number", "at", "what", "outcome", "todo"], rows),
    left_out.get.length === 0 ? [] : [`More: ${left_out.get.map(code).join(" or ")}`],
    [`Next: ${code(loopxCommand("evidence", "show", String(evidence[0]?.seq ?? "SEQ"), "--goal-id", goal_id))}`],
  );
}

export function evidenceShowPage({ goal_id, evidence, output_text, problems }: EvidenceShowPayload): string {
  return page(
    [`# ${markdown(evidence.label)}`],
    list([...facts(evidence), ...problems.map(problemLine)]),
    output_text === null ? [] : fenced(output_text),
    [`Next: ${code(loopxCommand("evidence", "list", "--goal-id", goal_id))}`],
  );
}

function facts({
  seq,
  at,
  outcome,
  exit_code,
  duration_ms,
  argv,
  todo_id,
  agent_id,
  output,
  note,
}: ShownEvidence): readonly string[] {
  return [
    `number: ${seq}, ${at}`,
    `outcome: ${outcome.replace("_", " ")}${exit_code === null ? "" : `, exit status ${exit_code}`}`,
    ...(argv.length === 0 ? [] : [`command: ${code(argv.join(" "))}, ${duration_ms} ms`]),
    ...(todo_id === null ? [] : [`todo: ${code(todo_id)}`]),
    ...(agent_id === null ? [] : [`agent: ${code(agent_id)}`]),
    ...(output === null ? [] : [`output: ${output.bytes} bytes, ${code(output.sha256.slice(0, 16))}`]),
    ...(note === null ? [] : [`note: ${markdown(note)}`]),
  ];
}

/** A fence that is longer than any run of backticks in the text. */
function fenced(text: string): readonly string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}text`, text.replace(/\n$/, ""), fence];
}
