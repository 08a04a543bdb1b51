/**
 * Reads what a program says that knows LoopX: a line of its output that is an object whose first field is `loopx_event`.
 *
 *     {"loopx_event":"rate_limited","until":"2026-11-30T08:00:00Z"}
 *
 * Every other line is text. Standard error is for people. This is the parser of the `command` host; other hosts have formats of their own.
 *
 * E1  Only what is written as an event is one: no sentence of a program, however it is worded, steers a turn.
 * E2  A line that is meant as an event and cannot be read is `unreadable`, never text and never nothing.
 * E3  Nothing is read from standard error: its lines may fall between any two others.
 */
import { parseInstant } from "../instant.ts";
import type { JsonObject } from "../registry/json-node.ts";
import { parseJsonText } from "../registry/json-text.ts";
import type { Problem } from "../result.ts";
import type { HostEvent, HostEventParser } from "./host-event.ts";
import { tokenUsageOf } from "./usage.ts";

const MEANT = /^\s*\{\s*"loopx_event"\s*:/;
const MAX_EVENT = 64_000;
const MAX_DETAIL = 400;
const MAX_SESSION = 200;

/** One for each turn, though it keeps nothing from line to line. */
export function commandEvents(): HostEventParser {
  return (line, source) => {
    if (source === "err") return []; // (E3)
    if (!MEANT.test(line.text)) return [{ kind: "text", text: line.text }]; // (E1)
    return [line.cut || line.text.length > MAX_EVENT ? unreadable("holds an event that is too long") : eventIn(line.text)];
  };
}

function eventIn(text: string): HostEvent {
  const parsed = parseJsonText(text);
  if (!parsed.ok) return unreadable(`holds an event that is no JSON: ${parsed.problem.message}`);
  const event = parsed.value as JsonObject;
  const name = String(event["loopx_event"]);
  const read = Object.hasOwn(READ, name) ? READ[name] : undefined;
  return read === undefined ? unreadable(`holds an event of the unknown name ${name.slice(0, 80)}`) : read(event);
}

const READ: Readonly<Record<string, (event: JsonObject) => HostEvent>> = {
  result: (event) => ({ kind: "result", value: event["result"] ?? null }),
  usage: (event) => {
    const problems: Problem[] = [];
    const usage = tokenUsageOf(event["usage"], problems);
    return usage === null || problems.length > 0
      ? unreadable("holds an event usage without counts of tokens")
      : { kind: "usage", usage };
  },
  session: ({ session_id }) => {
    const isId = typeof session_id === "string" && session_id !== "" && session_id.length <= MAX_SESSION;
    return isId ? { kind: "session", session_id } : unreadable("holds an event session without session_id");
  },
  rate_limited: (event) => ({ kind: "rate_limited", until: parseInstant(event["until"]) }),
  auth_failed: (event) => ({ kind: "auth_failed", detail: detailOf(event) }),
  budget: (event) => ({ kind: "budget", detail: detailOf(event) }),
  session_missing: (event) => ({ kind: "session_missing", detail: detailOf(event) }),
  refused: (event) => ({ kind: "refused", detail: detailOf(event) }),
};

function detailOf({ detail }: JsonObject): string | null {
  return typeof detail === "string" && detail.trim() !== "" ? detail.trim().slice(0, MAX_DETAIL) : null;
}

function unreadable(message: string): HostEvent {
  return { kind: "unreadable", message };
}
