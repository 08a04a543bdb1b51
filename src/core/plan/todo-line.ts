/**
 * One line that is a todo, or nearly one.
 */
import type { Line } from "./lines.ts";
import type { PlanTodo, Span, TodoStatus } from "./plan.ts";
import { SPACES, skipSpace, trimEnd } from "./white-space.ts";

export interface TodoLine {
  readonly marker: Span;
  readonly first_line: Span;
  readonly checkbox: PlanTodo["checkbox"];
}

const TODO = new RegExp(`^[${SPACES}]*[-*][${SPACES}]+\\[([ xX-])\\][${SPACES}]+`);
const NEARLY = new RegExp(`^[${SPACES}]*(?:[-*+]|[0-9]{1,9}[.)])[${SPACES}]*\\[([^\\]\\[]{0,2})\\](?!\\()`, "u");

/** The parts of a todo line, null when it is none. A todo without text is none. */
export function readTodoLine(text: string, line: Line): TodoLine | null {
  const content = text.slice(line.start, line.end);
  const match = TODO.exec(content);
  if (match === null || match[0].length === content.length) return null;
  const bracket = line.start + match[0].lastIndexOf("[");
  const start = line.start + match[0].length;
  return {
    marker: { start: bracket + 1, end: bracket + 2 },
    first_line: { start, end: trimEnd(text, start, line.end) },
    checkbox: checkboxOf(text.charAt(bracket + 1)),
  };
}

export function checkboxOf(marker: string): PlanTodo["checkbox"] {
  if (marker === "-") return "deferred";
  return marker === " " ? "open" : "done";
}

/** What a checkbox can say of a status: blocked work is open there. */
export function markerOf(status: TodoStatus): " " | "x" | "-" {
  if (status === "done") return "x";
  return status === "deferred" ? "-" : " ";
}

/** Why a line that is no todo looks like one; null when it does not. */
export function nearlyTodo(text: string, line: Line): string | null {
  const begins = text.slice(line.start, Math.min(line.end, skipSpace(text, line.start, line.end) + 40));
  const match = NEARLY.exec(begins);
  if (match === null) return null;
  const mark = match[0].slice(match[0].lastIndexOf("[") + 1, -1);
  if (!/^[ xX-]?$/.test(mark)) return [...mark].length === 1 ? `The checkbox [${mark}] is none of [ ], [x] and [-]` : null;
  return "A todo is written as - [ ] and a text, with a space before and after the brackets";
}
