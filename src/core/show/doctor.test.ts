import { expect, test } from "vitest";
import { buildDoctor, type Examination, type Finding, MAX_FINDINGS } from "./doctor.ts";
import { doctorPage } from "./markdown/doctor.ts";

const CHECKS = [
  { check: "node", says: "Node 24", skipped: false },
  { check: "disk", says: "ext4 | fast", skipped: false },
  { check: "engine", says: "no project", skipped: true },
];

function examined(findings: readonly Finding[], more: Partial<Examination> = {}): Examination {
  return { checks: CHECKS, findings, fixed: [], dry_run: false, ...more };
}

const finding = (severity: Finding["severity"], more: Partial<Finding> = {}): Finding => ({
  check: "disk",
  severity,
  message: "slow",
  ...more,
});

test("ok is false exactly when an error is left (D1)", () => {
  expect(buildDoctor(examined([])).ok).toBe(true);
  expect(buildDoctor(examined([finding("info"), finding("warning")])).ok).toBe(true);
  expect(buildDoctor(examined([finding("info"), finding("error")])).ok).toBe(false);
});

test("findings come worst first, and a check is as bad as its worst", () => {
  const { findings, checks } = buildDoctor(examined([finding("info"), finding("error"), finding("warning")]));
  expect(findings.map(({ severity }) => severity)).toEqual(["error", "warning", "info"]);
  expect(checks.map(({ severity, findings: count }) => [severity, count])).toEqual([
    ["ok", 0],
    ["error", 3],
    ["skipped", 0],
  ]);
});

test("what is not listed is counted (D2)", () => {
  const many = Array.from({ length: MAX_FINDINGS + 5 }, () => finding("info"));
  const payload = buildDoctor(examined(many));
  expect(payload.findings).toHaveLength(MAX_FINDINGS);
  expect(payload.left_out).toEqual({ findings: 5 });
  expect(doctorPage(payload)).toContain(`${MAX_FINDINGS + 5 - 40} findings more`);
});

test("the page tells how it stands, what was found and what comes next", () => {
  expect(doctorPage(buildDoctor(examined([])))).toMatch(/^# All is well\n.*Next: `loopx status`\n$/s);
  const warned = doctorPage(
    buildDoctor(examined([finding("warning", { path: "/a`b", line: 3, message: "*x*\u001b[31m", fix: "loopx doctor --fix" })])),
  );
  expect(warned).toMatch(/^# Works, with warnings\n.*Next: `loopx doctor --fix`\n$/s);
  expect(warned).not.toContain("\u001b");
  expect(doctorPage(buildDoctor(examined([finding("error")])))).toMatch(/^# Something is broken\n/);
  const fixed = [
    { check: "disk", path: "/p", outcome: "fixed", message: "done" },
    { check: "disk", outcome: "would_fix", message: "would" },
    { check: "disk", outcome: "not_fixed", message: "no" },
  ] as const;
  const page = doctorPage(buildDoctor(examined([], { fixed })));
  for (const word of ["- fixed disk: done", "- would fix disk: would", "- could not fix disk: no"]) expect(page).toContain(word);
});
