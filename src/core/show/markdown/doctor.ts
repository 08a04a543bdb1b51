/** `loopx doctor` for people: one line a check, then what was found and what cures it. */
import type { DoctorPayload, Finding, FixedFinding } from "../doctor.ts";
import { code, markdown } from "../escape.ts";
import { counted, page, table } from "./table.ts";
import { place } from "./words.ts";

const SHOWN = 40;
const OUTCOMES = { fixed: "fixed", would_fix: "would fix", not_fixed: "could not fix" } as const;

export function doctorPage({ ok, checks, findings, fixed, left_out }: DoctorPayload): string {
  const shown = findings.slice(0, SHOWN);
  const more = findings.length - shown.length + left_out.findings;
  const cures = findings.some(({ fix }) => fix === "loopx doctor --fix");
  return page(
    [`# ${titleOf(ok, findings)}`],
    table(
      ["check", "", "says"],
      checks.map(({ check, severity, says }) => [check, severity, markdown(says)]),
    ),
    shown.map(findingLine),
    more > 0 ? [`${counted(more, "finding")} more: ${code("loopx doctor --json")}`] : [],
    fixed.map(fixedLine),
    [`Next: ${code(cures ? "loopx doctor --fix" : "loopx status")}`],
  );
}

function titleOf(ok: boolean, findings: readonly Finding[]): string {
  if (!ok) return "Something is broken";
  return findings.some(({ severity }) => severity === "warning") ? "Works, with warnings" : "All is well";
}

function findingLine({ check, severity, path, line, message, fix }: Finding): string {
  const where = place({ path: path ?? null, line: line ?? null });
  return `- **${severity}** ${check}: ${markdown(message)}${where}${fix === undefined ? "" : `: ${code(fix)}`}`;
}

function fixedLine({ check, path, outcome, message }: FixedFinding): string {
  return `- ${OUTCOMES[outcome]} ${check}: ${markdown(message)}${place({ path: path ?? null, line: null })}`;
}
