/**
 * What a host's output says, once its parser has read it: the same events for every host.
 *
 * Does not own: how a host words them (its parser), what they lead to (`turn-observer.ts`, `judge-turn.ts`).
 */
import type { Instant } from "../instant.ts";
import type { JsonValue } from "../registry/json-node.ts";
import type { OutputLine } from "./output-stream.ts";
import type { TokenUsage } from "./usage.ts";

export type HostEvent =
  /** A new message begins; what was said before is none of the last message. */
  | { readonly kind: "message" }
  /** Whole lines of the message. */
  | { readonly kind: "text"; readonly text: string }
  /** Of the whole turn so far. */
  | { readonly kind: "usage"; readonly usage: TokenUsage }
  /** With which the turn can be taken up again. */
  | { readonly kind: "session"; readonly session_id: string }
  /** A turn's result as structured output, not checked yet. */
  | { readonly kind: "result"; readonly value: JsonValue }
  /** Meant as an event, and not to be understood. */
  | { readonly kind: "unreadable"; readonly message: string }
  | Setback;

/** Why a host says that it cannot go on. */
export type Setback =
  /** `until` null: the host does not say. */
  | { readonly kind: "rate_limited"; readonly until: Instant | null }
  | { readonly kind: "auth_failed"; readonly detail: string | null }
  | { readonly kind: "budget"; readonly detail: string | null }
  | { readonly kind: "session_missing"; readonly detail: string | null }
  | { readonly kind: "refused"; readonly detail: string | null };

export type OutputSource = "out" | "err";

/** Reads the lines of one turn in their order. */
export type HostEventParser = (line: OutputLine, source: OutputSource) => readonly HostEvent[];
