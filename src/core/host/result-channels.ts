/**
 * Three ways to say what came of a turn, and which of them counts.
 *
 * Does not own: reading them (`result-text.ts`, `fence.ts`, the host's parser), what the result leads to.
 *
 * C1  The file counts before structured output, and that before a block in the last message.
 * C2  The first way in which anything was said is the one: if that cannot be used, nothing else is taken in its place.
 * C3  What another way says differently is reported, never merged.
 */
import type { JsonValue } from "../registry/json-node.ts";
import type { Problem } from "../result.ts";
import { parseTurnResult } from "./result-text.ts";
import { type CheckedTurnResult, checkTurnResult, type ResultContext, type TurnResult } from "./turn-result.ts";

/** In the order of C1. */
const CHANNELS = ["file", "structured", "fenced"] as const;
export type ResultChannel = (typeof CHANNELS)[number];

export interface SaidResults {
  /** `unreadable`: something is there that is no text. */
  readonly file:
    | { readonly kind: "text"; readonly text: string }
    | { readonly kind: "unreadable"; readonly problem: Problem }
    | null;
  readonly structured: { readonly value: JsonValue } | null;
  readonly fenced: string | null;
}

export type ResultConflict =
  | { readonly kind: "differs"; readonly channel: ResultChannel; readonly fields: readonly string[] }
  | { readonly kind: "invalid"; readonly channel: ResultChannel; readonly problems: readonly Problem[] };

export type ChosenResult =
  | { readonly kind: "none" }
  | {
      readonly kind: "said";
      readonly channel: ResultChannel;
      readonly checked: CheckedTurnResult;
      readonly conflicts: readonly ResultConflict[];
    };

export function chooseResult(said: SaidResults, turn: Pick<ResultContext, "turn_id">): ChosenResult {
  const read = CHANNELS.flatMap((channel) => {
    const checked = READ[channel](said, turn);
    return checked === null ? [] : [{ channel, checked }];
  });
  const [first, ...others] = read; // (C1, C2)
  if (first === undefined) return { kind: "none" };
  const conflicts = others.flatMap(({ channel, checked }) => conflictsWith(first.checked, channel, checked));
  return { kind: "said", ...first, conflicts };
}

type Read = (said: SaidResults, turn: Pick<ResultContext, "turn_id">) => CheckedTurnResult | null;

const READ: Readonly<Record<ResultChannel, Read>> = {
  file: ({ file }, turn) => {
    if (file === null) return null;
    return file.kind === "text"
      ? parseTurnResult(file.text, { ...turn, version: "required" })
      : { ok: false, problems: [file.problem] };
  },
  structured: ({ structured }, turn) =>
    structured === null ? null : checkTurnResult(structured.value, { ...turn, version: "optional" }),
  fenced: ({ fenced }, turn) => (fenced === null ? null : parseTurnResult(fenced, { ...turn, version: "optional" })),
};

/** C3. */
function conflictsWith(counts: CheckedTurnResult, channel: ResultChannel, other: CheckedTurnResult): readonly ResultConflict[] {
  if (!other.ok) return [{ kind: "invalid", channel, problems: other.problems }];
  const fields = counts.ok ? differences(counts.result, other.result) : ["kind"];
  return fields.length === 0 ? [] : [{ kind: "differs", channel, fields }];
}

function differences(a: TurnResult, b: TurnResult): readonly string[] {
  const said = (result: TurnResult): readonly (readonly [string, string | null | undefined])[] => [
    ["kind", result.kind],
    ["summary", result.summary],
    ["next", result.next?.join("\n")],
    ["no_follow_up", result.no_follow_up],
    ["until", result.kind === "wait" ? result.until : null],
  ];
  const others = new Map(said(b));
  return said(a).flatMap(([field, value]) => (others.get(field) === value ? [] : [field]));
}
