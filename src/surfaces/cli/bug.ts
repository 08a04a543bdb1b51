/** A bug, as a report that is ready to send: facts of the machine and the stack, without what the user wrote. */

import { maskSecrets } from "../../core/secret.ts";
import { withoutHostile } from "../../core/show/escape.ts";
import { BUG } from "../../errors.ts";
import { lex } from "./lex.ts";
import { OPTIONS } from "./options.ts";

export interface BugFacts {
  readonly thrown: unknown;
  readonly argv: readonly string[];
  readonly version: string;
  readonly machine: string;
  readonly correlation: string;
}

export const BUG_EXIT: number = BUG.exit;

export function bugReport(facts: BugFacts): string {
  const lines = [
    "loopx met a bug. Nothing that you typed can be the reason; please report these lines:",
    "",
    `  loopx ${facts.version} · ${facts.machine} · ${facts.correlation}`,
    `  command: ${commandShape(facts.argv)}`,
    ...maskSecrets(stackOf(facts.thrown))
      .split("\n")
      .map((line) => `  ${line}`),
  ];
  return `${withoutHostile(lines.join("\n"))}\n`;
}

export function bugAsPayload(facts: BugFacts): object {
  const message = facts.thrown instanceof Error ? facts.thrown.message : String(facts.thrown);
  return {
    ok: false,
    code: "bug",
    message: maskSecrets(message),
    fix: null,
    retry: false,
    report: bugReport(facts),
    error: maskSecrets(message),
  };
}

/** Words and option names as typed; values only where they are one of a few words or a number. */
function commandShape(argv: readonly string[]): string {
  const { words, options } = lex(argv);
  const shown = options.map(({ name, spelling, raw }) => {
    if (raw === null) return spelling;
    const kind = name === null ? "text" : OPTIONS[name].kind;
    return kind === "text" || kind === "list" ? `${spelling} …` : `${spelling} ${raw}`;
  });
  return maskSecrets(["loopx", ...words.slice(0, 2).map((word) => word.text), ...shown].join(" "));
}

function stackOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `not an error was thrown: ${String(thrown)}`;
  const cause = thrown.cause instanceof Error ? `\ncaused by ${stackOf(thrown.cause)}` : "";
  return `${thrown.stack ?? thrown.message}${cause}`;
}
