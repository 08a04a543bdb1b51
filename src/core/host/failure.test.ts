import { expect, test } from "vitest";
import { epochOf, type Instant, parseInstant } from "../instant.ts";
import { failureText, type HostFailure, type HostFailureKind, MAX_WAIT_MS, reactionTo, retryAt } from "./failure.ts";

const NOW = parseInstant("2026-11-30T08:00:00Z") as Instant;

const FAILURES = {
  host_missing: { kind: "host_missing", program: "claude", why: "not_found" },
  auth_failed: { kind: "auth_failed", detail: "token expired" },
  rate_limited: { kind: "rate_limited", until: parseInstant("2026-11-30T09:00:00Z") },
  timeout_idle: { kind: "timeout_idle", after_ms: 600_000 },
  timeout_hard: { kind: "timeout_hard", after_ms: 1500 },
  output_invalid: { kind: "output_invalid", problems: [{ path: "kind", code: "kind_unknown", message: "must be one of a, b" }] },
  refused: { kind: "refused", detail: null },
  budget: { kind: "budget", detail: null },
  crashed: { kind: "crashed", cause: { kind: "signal", signal: "SIGSEGV" } },
  session_missing: { kind: "session_missing", detail: "s-1" },
} as const satisfies Readonly<Record<HostFailureKind, HostFailure>>;

function waitOf(failure: HostFailure, attempt: number, random: number): number | null {
  const at = retryAt(failure, { attempt, now: NOW, random: () => random });
  return at === null ? null : epochOf(at) - epochOf(NOW);
}

test("K1: what follows from each failure", () => {
  const table = Object.fromEntries(
    Object.values(FAILURES).map(({ kind }) => {
      const { retry, cool_down, ask, stall } = reactionTo(kind);
      return [kind, [retry, cool_down, ask, stall].join(" ")];
    }),
  );
  expect(table).toEqual({
    host_missing: "never team person does_not_count",
    auth_failed: "never team person does_not_count",
    budget: "never team person does_not_count",
    refused: "never agent person counts",
    rate_limited: "after_backoff team nobody does_not_count",
    timeout_idle: "after_backoff agent nobody counts",
    timeout_hard: "after_backoff agent nobody counts",
    output_invalid: "after_backoff agent nobody counts",
    crashed: "after_backoff agent nobody counts",
    session_missing: "at_once_in_new_session agent nobody does_not_count",
  });
});

test("K2: who is asked is not tried again, and who is tried again is not asked about", () => {
  for (const failure of Object.values(FAILURES)) {
    const { retry, ask } = reactionTo(failure.kind);
    expect(retry === "never").toBe(ask === "person");
    expect(retryAt(failure, { attempt: 0, now: NOW, random: () => 0.5 }) === null).toBe(ask === "person");
  }
});

test("the wait grows with every failure, up to its bound", () => {
  const longest = [0, 1, 2, 20].map((attempt) => waitOf(FAILURES.crashed, attempt, 0.999999));
  expect(longest).toEqual([1000, 2000, 4000, 300_000].map((ms) => expect.closeTo(ms, -1)));
});

test("K4: a session that is missing is tried again at once, and in a row after a wait", () => {
  expect([0, 1, 9].map((attempt) => waitOf(FAILURES.session_missing, attempt, 0.5))).toEqual([0, 1000, 150_000]);
  expect(reactionTo("session_missing", 1)).toEqual(reactionTo("crashed"));
  expect(reactionTo("auth_failed", 1)).toEqual(reactionTo("auth_failed"));
});

test("a rate limit is waited out, with a part of half a minute so that not all come at once", () => {
  expect(waitOf(FAILURES.rate_limited, 9, 0)).toBe(3_600_000);
  expect(waitOf(FAILURES.rate_limited, 9, 0.999999)).toBeLessThanOrEqual(3_630_000);
  const past: HostFailure = { kind: "rate_limited", until: parseInstant("2026-11-30T07:00:00Z") };
  expect(waitOf(past, 1, 0.999999)).toBeCloseTo(60_000, -1);
  expect(waitOf({ kind: "rate_limited", until: null }, 0, 0)).toBe(0);
});

test("K5: an instant in a far year is not waited for", () => {
  const far: HostFailure = { kind: "rate_limited", until: parseInstant("9999-01-01") };
  expect(waitOf(far, 0, 0)).toBe(MAX_WAIT_MS);
  const end = parseInstant("9999-12-31T23:59:59.999Z") as Instant;
  expect(retryAt(FAILURES.crashed, { attempt: 9, now: end, random: () => 0.9 })).toBe(end);
});

test("each failure names its cause in a sentence", () => {
  expect(Object.values(FAILURES).map(failureText)).toEqual([
    "There is no program claude.",
    "The host is not signed in: token expired.",
    "The host is rate-limited until 2026-11-30T09:00:00.000Z.",
    "The host printed nothing for 600 s and was stopped.",
    "The host ran for 1.5 s, which is the limit of a turn, and was stopped.",
    "The result of the turn cannot be used: kind must be one of a, b.",
    "The host refused the work.",
    "The host's budget is used up.",
    "The host ended with SIGSEGV.",
    "The host does not know the session any more: s-1.",
  ]);
  expect(failureText({ ...FAILURES.host_missing, why: "not_executable" })).toBe("claude cannot be started as a program.");
  expect(failureText({ kind: "rate_limited", until: null })).toBe("The host is rate-limited.");
  expect(failureText({ kind: "output_invalid", problems: [] })).toBe("The host ended without saying what came of the turn.");
  expect(failureText({ kind: "output_invalid", problems: [{ code: "c", message: "is not JSON" }] })).toBe(
    "The result of the turn cannot be used: it is not JSON.",
  );
  expect(failureText({ kind: "crashed", cause: { kind: "exit", code: 3 } })).toBe("The host ended with exit status 3.");
});
