// `docs/compatibility.md` is what test/differences.json says. After a change of the list: npx vitest run test/pins/reference-page -u
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Row {
  readonly case: string;
  readonly step: string;
  readonly field: string;
  readonly reference: unknown;
  readonly ours: unknown;
  readonly why: string;
}

const ROWS: readonly Row[] = JSON.parse(readFileSync(new URL("../differences.json", import.meta.url), "utf8"));

const INTRODUCTION = `# Compatibility

LoopX in TypeScript takes the place of LoopX in Python (0.5.1, called the reference here) without a conversion: it works on the
registry, the state files and the runtime folders that the other program left, and both may work on them in turns.

## What stays

- **Files.** \`.loopx/registry.json\` and every state file keep all their bytes but those of an edit: unknown fields, comments, order, line endings, byte order
  mark. \`goals/GOAL/runs/index.jsonl\` is only appended to, in the reference's row format; each run has its \`.json\` and \`.md\` under the reference's names.
  Runs of both programs are one history, newest first.
- **Commands.** \`status\`, \`history\`, \`refresh-state\`, \`registry\`, \`archive-runtime\`, \`goal-lifecycle\` and \`serve-status\` with their options; \`--registry\`,
  \`--runtime-root\` and \`--format\` also behind the command. \`archive-runtime\` and \`goal-lifecycle\` show what they would do until \`--execute\` is given;
  \`refresh-state\` writes until \`--dry-run\` is given. [commands.md](commands.md) has all options, and those that are accepted without effect.
- **Environment.** \`LOOPX_REGISTRY\`; \`~/.codex/loopx\` is the runtime root where a registry names none.
- **Answers.** The fields that \`history\`, \`refresh-state\`, \`registry\` and \`archive-runtime\` share with the reference have the same names and mean the same.
  \`status\` is a page of goals instead of one large record: \`run_history.goals[].latest_status_run\` is \`goals[].latest_run\`, \`attention_queue.items\` is
  \`attention_queue\`, \`waiting_on\` and \`severity\` have the same words, the warnings of an item are \`goals[].drift[]\` ([drift.md](drift.md)).
- **Exit status.** 0 for an answer, 1 for a refusal; 2 where arguments or files cannot be understood, 3 where something is not found. Before, most of these were 1.

\`test/pins/reference-surface.test.ts\`, \`reference-archive.test.ts\` and \`reference-lifecycle.test.ts\` hold this list to the program, one test a row.

## What differs on purpose

Recorded runs of the reference are replayed through this program (\`npm run test:reference\`; the recordings are not part of this repository). Each
difference in meaning that was found is a row of [test/differences.json](../test/differences.json); one that is not listed fails, and so does a row that has become untrue.
This table gives the reasons, with one example each. The numbers name sections of the description of the reference (data-plane) and of the design that this program was written from.

`;

test("docs/compatibility.md is the list", async () => {
  await expect(INTRODUCTION + table()).toMatchFileSnapshot("../../docs/compatibility.md");
});

test.each(ROWS)("$case/$step $field has a reason", ({ why, reference, ours }) => {
  expect(why).toMatch(/^(?:(?:data|decision)-plane \d+(?:\.\d+)?|design [T\d]\d*): \S.{20,}\.$/);
  expect(reference).not.toEqual(ours);
});

function table(): string {
  const lines = [...groupedByReason()].map(([why, rows]) => lineOf(why, rows));
  return `| what differs | see | found | for example |\n| --- | --- | --- | --- |\n${lines.sort().join("\n")}\n`;
}

function groupedByReason(): ReadonlyMap<string, readonly Row[]> {
  const reasons = new Map<string, Row[]>();
  for (const row of ROWS) reasons.set(row.why, [...(reasons.get(row.why) ?? []), row]);
  return reasons;
}

function lineOf(why: string, rows: readonly Row[]): string {
  const [basis = "", sentence = ""] = [why.slice(0, why.indexOf(": ")), why.slice(why.indexOf(": ") + 2)];
  const [example] = [...rows].sort((a, b) => size(a) - size(b));
  const text = sentence.charAt(0).toUpperCase() + sentence.slice(1);
  const found = rows.some((row) => row.case === "*") ? "in many cases" : `${rows.length}×`;
  return `| ${text} | ${basis} | ${found} | ${example === undefined ? "" : exampleOf(example)} |`.replaceAll("\n", " ");
}

function exampleOf(row: Row): string {
  const place = row.case === "*" ? "" : `${row.case}/${row.step}, `;
  return `${place}${row.field}: ${cell(row.reference)} → ${cell(row.ours)}`;
}

function size({ reference, ours }: Row): number {
  return JSON.stringify([reference, ours]).length;
}

const LONGEST = 90;

function cell(value: unknown): string {
  if (value === null || value === undefined) return "–";
  const text = JSON.stringify(value);
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return `\`${short.replaceAll("|", "\\|").replaceAll("`", "'")}\``;
}
