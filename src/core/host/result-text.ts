/**
 * A turn's result as JSON text: in a file, or between fences.
 *
 * Does not own: which fields it has (`turn-result.ts`).
 *
 * X1  A text that is longer than any result can be is not read.
 * X2  Every flaw has its line and column in the text; a field that is there twice is one, whatever its last value says.
 */
import type { TurnId } from "../id.ts";
import type { JsonDocument } from "../registry/json-node.ts";
import { positionAt } from "../registry/json-position.ts";
import { parseJsonText } from "../registry/json-text.ts";
import type { Problem } from "../result.ts";
import {
  type CheckedTurnResult,
  checkTurnResult,
  type ResultContext,
  TURN_RESULT_SCHEMA,
  type TurnResult,
} from "./turn-result.ts";

export const MAX_RESULT_LENGTH = 12_000;

export function parseTurnResult(text: string, context: ResultContext): CheckedTurnResult {
  if (text.length > MAX_RESULT_LENGTH) {
    return { ok: false, problems: [{ code: "result_too_long", message: `is longer than ${MAX_RESULT_LENGTH} characters` }] }; // (X1)
  }
  const parsed = parseJsonText(text);
  if (!parsed.ok) {
    const { code, message, line, column } = parsed.problem;
    return { ok: false, problems: [{ code, message: `is no JSON: ${message}`, line, column }] };
  }
  const repeated = parsed.repeated_keys.map(({ key, offset }): Problem => {
    return { path: key, ...positionAt(text, offset), code: "field_repeated", message: "is there twice" };
  });
  const checked = checkTurnResult(parsed.value, context);
  if (checked.ok && repeated.length === 0) return checked;
  const flaws = checked.ok ? [] : checked.problems.map((problem) => ({ ...problem, ...placeOf(parsed, problem.path) }));
  return { ok: false, problems: [...repeated, ...flaws] };
}

/** X2. Of a field that is not there: where the object begins. */
function placeOf({ text, root }: JsonDocument, path: string | undefined): Pick<Problem, "line" | "column"> {
  const [field] = path?.split(".") ?? [];
  const member = root.kind === "object" ? root.members.find(({ key }) => key === field) : undefined;
  return positionAt(text, member?.key_start ?? root.start);
}

/** The text of a result file: what `parseTurnResult` reads back. */
export function turnResultText(turn_id: TurnId, result: TurnResult): string {
  return `${JSON.stringify({ schema_version: TURN_RESULT_SCHEMA, turn_id, ...result }, null, 2)}\n`;
}
