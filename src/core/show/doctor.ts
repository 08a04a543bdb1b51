/**
 * What `doctor` answers: every check with what it says, and what was found, worst first.
 *
 * Does not own: looking (`commands/doctor`).
 *
 * D1  `ok` is false exactly when an error is left: a check that could not look is none.
 * D2  At most `MAX_FINDINGS` are listed; the rest is counted.
 */

export type FindingSeverity = "error" | "warning" | "info";

export interface Finding {
  readonly check: string;
  readonly severity: FindingSeverity;
  readonly path?: string;
  readonly line?: number;
  readonly message: string;
  /** The command that puts it right. */
  readonly fix?: string;
}

export interface CheckRow {
  readonly check: string;
  /** `skipped`: something that it needs is not there; another check says why. */
  readonly severity: "ok" | "skipped" | FindingSeverity;
  readonly says: string;
  readonly findings: number;
}

export interface FixedFinding {
  readonly check: string;
  readonly path?: string;
  readonly outcome: "fixed" | "would_fix" | "not_fixed";
  readonly message: string;
}

export interface DoctorPayload {
  readonly ok: boolean;
  readonly dry_run: boolean;
  readonly checks: readonly CheckRow[];
  readonly findings: readonly Finding[];
  readonly fixed: readonly FixedFinding[];
  readonly left_out: { readonly findings: number };
}

export const MAX_FINDINGS = 200;

const RANK: Readonly<Record<FindingSeverity, number>> = { error: 0, warning: 1, info: 2 };

export interface Examination {
  readonly checks: readonly { readonly check: string; readonly says: string; readonly skipped: boolean }[];
  /** In the order of the checks. */
  readonly findings: readonly Finding[];
  readonly fixed: readonly FixedFinding[];
  readonly dry_run: boolean;
}

export function buildDoctor({ checks, findings, fixed, dry_run }: Examination): DoctorPayload {
  const sorted = [...findings].sort((a, b) => RANK[a.severity] - RANK[b.severity]);
  const rows = checks.map(({ check, says, skipped }): CheckRow => {
    const own = sorted.filter((finding) => finding.check === check);
    return { check, severity: own[0]?.severity ?? (skipped ? "skipped" : "ok"), says, findings: own.length };
  });
  const shown = sorted.slice(0, MAX_FINDINGS); // (D2)
  return {
    ok: sorted[0]?.severity !== "error", // (D1)
    dry_run,
    checks: rows,
    findings: shown,
    fixed,
    left_out: { findings: sorted.length - shown.length },
  };
}
