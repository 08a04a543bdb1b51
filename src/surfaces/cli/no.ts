/**
 * How a "no" is printed: the same facts as JSON for programs and as words for people.
 *
 * N1  The keys `ok`, `code`, `message` and `fix` are always there; the details of a refusal add to them and never replace them.
 */
import type { BadInput, Problem, Refusal } from "../../core/result.ts";
import { type Fault, outwardOf } from "../../errors.ts";
import { printableLine } from "./printable.ts";

export interface No {
  readonly code: string;
  readonly message: string;
  readonly fix: string | null;
  readonly retry: boolean;
  readonly exit: number;
  readonly problems: readonly Problem[];
  readonly near: readonly string[];
  readonly details: Readonly<Record<string, unknown>>;
  /** What lies beneath a fault. */
  readonly cause: string | null;
}

export function noOf(reply: Refusal | BadInput): No {
  const { exit, retry } = outwardOf(reply);
  const bad = reply.kind === "bad_input" ? reply : null;
  return {
    code: reply.code,
    message: reply.message,
    fix: reply.fix ?? null,
    retry,
    exit,
    problems: bad?.problems ?? [],
    near: bad?.near ?? [],
    details: reply.kind === "refusal" ? (reply.details ?? {}) : {},
    cause: null,
  };
}

export function noOfFault(fault: Fault): No {
  const { exit, retry } = outwardOf({ kind: "fault", code: fault.code });
  const cause = fault.cause instanceof Error ? fault.cause.message : null;
  const { code, message, hint } = fault;
  return { code, message, fix: hint, retry, exit, problems: [], near: [], details: {}, cause };
}

/** N1. `error` is the name that the reference's payloads have for the sentence. */
export function noAsPayload(no: No): object {
  return {
    ok: false,
    code: no.code,
    message: no.message,
    fix: no.fix,
    retry: no.retry,
    ...(no.problems.length === 0 ? {} : { problems: no.problems }),
    ...(no.near.length === 0 ? {} : { near: no.near }),
    ...(no.cause === null ? {} : { cause: no.cause }),
    ...withoutReserved(no.details),
    error: no.message,
  };
}

const RESERVED = new Set(["ok", "code", "message", "fix", "retry", "problems", "near", "cause", "error"]);

function withoutReserved(details: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(details).filter(([key]) => !RESERVED.has(key)));
}

export function noAsWords(no: No): string {
  const lines = [
    `loopx: ${no.message} (${no.code})`,
    ...no.problems.filter((problem) => problem.message !== no.message).map(problemLine),
    ...(no.cause === null ? [] : [`  Because: ${no.cause}`]),
    ...(no.near.length === 0 ? [] : [`  Near: ${no.near.join(", ")}`]),
    ...(no.fix === null ? [] : [`  Try: ${no.fix}`]),
  ];
  return `${lines.map(printableLine).join("\n")}\n`;
}

function problemLine(problem: Problem): string {
  const place = [problem.path, problem.line, problem.column].filter((part) => part !== undefined).join(":");
  return place === "" ? `  ${problem.message}` : `  ${place}: ${problem.message}`;
}
