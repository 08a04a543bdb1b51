/**
 * Follows one turn's output and keeps what will matter at its end; bounded, however much is printed.
 *
 * Does not own: what the lines of a host mean (its parser), the judgement (`judge-turn.ts`).
 *
 * V1  Of structured results, sessions and usage the last one counts.
 * V2  Of several setbacks the one that only a person can put right counts, and of two of a kind the later one.
 */
import type { JsonValue } from "../registry/json-node.ts";
import { FenceFinder } from "./fence.ts";
import type { HostEvent, HostEventParser, OutputSource, Setback } from "./host-event.ts";
import type { OutputLine } from "./output-stream.ts";
import type { TokenUsage } from "./usage.ts";

/** What a turn's output has said so far. */
export interface SeenOutput {
  readonly session_id: string | null;
  readonly usage: TokenUsage | null;
  readonly structured: { readonly value: JsonValue } | null;
  readonly fenced: string | null;
  readonly setback: Setback | null;
  /** Why an event could not be understood, the first time. */
  readonly unreadable: string | null;
}

/** V2. */
const WEIGHT: Readonly<Record<Setback["kind"], number>> = {
  auth_failed: 5,
  budget: 4,
  rate_limited: 3,
  session_missing: 2,
  refused: 1,
};

export class TurnObserver {
  readonly #parse: HostEventParser;
  readonly #fences = new FenceFinder();
  #seen: Noted = { session_id: null, usage: null, structured: null, setback: null, unreadable: null };

  constructor(parse: HostEventParser) {
    this.#parse = parse;
  }

  /** What the line says. */
  read(line: OutputLine, source: OutputSource): readonly HostEvent[] {
    const events = this.#parse(line, source);
    for (const event of events) this.#take(event);
    return events;
  }

  seen(): SeenOutput {
    return { ...this.#seen, fenced: this.#fences.block() };
  }

  #take(event: HostEvent): void {
    if (event.kind === "text") this.#fences.read(event.text);
    else if (event.kind === "message") this.#fences.startMessage();
    else this.#seen = { ...this.#seen, ...newsOf(event, this.#seen) };
  }
}

type Noted = Omit<SeenOutput, "fenced">;

function newsOf(event: Exclude<HostEvent, { readonly kind: "text" | "message" }>, known: Noted): Partial<Noted> {
  switch (event.kind) {
    case "usage":
      return { usage: event.usage };
    case "session":
      return { session_id: event.session_id };
    case "result":
      return { structured: { value: event.value } };
    case "unreadable":
      return { unreadable: known.unreadable ?? event.message };
    default:
      return { setback: heavier(known.setback, event) };
  }
}

function heavier(known: Setback | null, event: Setback): Setback {
  return known !== null && WEIGHT[known.kind] > WEIGHT[event.kind] ? known : event;
}
