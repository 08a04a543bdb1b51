/**
 * What a worker (`loopx run --worker`) and its supervisor say to each other: one JSON object a line. The worker reports on stdout, the
 * supervisor orders on stdin.
 *
 * Does not own: when a report is made and what an order leads to (`commands/worker.ts`), starting and watching workers (the supervisor).
 *
 * W1  A line is one report or one order, whole; its text holds no line feed.
 * W2  What is not understood is a problem with its place, never an order: a line of a newer version does nothing.
 * W3  Every report says when it was made and how many turns have ended by then; the last one is `stopped`.
 */
import { type Instant, parseInstant } from "../instant.ts";
import type { JsonObject, JsonValue } from "../registry/json-node.ts";
import { parseJsonText } from "../registry/json-text.ts";
import { type BadInput, done, type Reply, reject } from "../result.ts";
import type { TurnUsage } from "./usage.ts";

/** Why a worker ended; its exit status says the same, coarser (`errors.ts`). */
export type StopReason =
  /** As many turns as it was to take. */
  | "turns_done"
  /** Nothing that it can do, for as long as it was to wait. */
  | "idle"
  /** As it was told, or because nobody is there to tell it. */
  | "drained"
  | "stopped"
  /** Only a person can put it right: no host, not signed in, unknown goal, settings. */
  | "fatal"
  | "rate_limited"
  | "fault";

export interface ReportedFailure {
  /** A kind of `failure.ts`, `checks_failed`, or the code of a refusal. */
  readonly kind: string;
  readonly message: string;
  readonly until?: Instant;
}

interface Turn {
  readonly goal_id: string;
  /** Null: the turn is about the goal. */
  readonly todo_id: string | null;
  readonly turn_id: string;
}

export type WorkerFact =
  | { readonly event: "deciding" }
  /** Until then, or until the store changes, or it is woken. */
  | { readonly event: "waiting"; readonly until: Instant; readonly why: string; readonly message?: string }
  /** Nothing to do, and no time is known at which there will be. */
  | { readonly event: "idle"; readonly why: string; readonly message?: string }
  | ({ readonly event: "claimed"; readonly text: string; readonly epoch: number | null } & Turn)
  | ({ readonly event: "turn_started" } & Turn)
  | ({ readonly event: "turn_settled"; readonly outcome: string; readonly summary: string; readonly usage: TurnUsage } & Turn)
  | ({ readonly event: "turn_failed"; readonly failure: ReportedFailure; readonly usage: TurnUsage } & Turn)
  | {
      readonly event: "stopped";
      readonly reason: StopReason;
      readonly message: string;
      readonly code?: string;
      readonly fix?: string;
      readonly until?: Instant;
    };

/** Whether it waits though there may be work for it: after a failure, or because it was told to. */
export function isHeldBack(why: string): boolean {
  return why === "back_off" || why === "held";
}

/** W3. */
export type WorkerReport = WorkerFact & { readonly at: Instant; readonly turns: number };

export type WorkerOrder =
  /** Finish the turn, then stop. */
  | { readonly do: "drain" }
  /** Stop the host and end. */
  | { readonly do: "stop" }
  /** Ask again at once. */
  | { readonly do: "wake" }
  /** Begin no turn before `until`; null: as long as it takes to be woken. */
  | { readonly do: "hold"; readonly until: Instant | null };

const EVENTS: readonly WorkerFact["event"][] = [
  "deciding",
  "waiting",
  "idle",
  "claimed",
  "turn_started",
  "turn_settled",
  "turn_failed",
  "stopped",
];
const MAX_LINE = 16_384;

/** W1. */
export function lineOf(said: WorkerReport | WorkerOrder): string {
  return `${JSON.stringify(said)}\n`;
}

/** W2. */
export function readOrder(line: string): Reply<WorkerOrder> {
  const object = objectIn(line);
  if (object.kind !== "done") return object;
  const { do: order, until } = object.value;
  switch (order) {
    case "drain":
    case "stop":
    case "wake":
      return done({ do: order });
    case "hold":
      return holding(until);
    default:
      return unreadable(`there is no order ${shown(order)}; there are drain, stop, wake and hold`);
  }
}

function holding(until: JsonValue | undefined): Reply<WorkerOrder> {
  if (until === undefined || until === null) return done({ do: "hold", until: null });
  const instant = parseInstant(until);
  return instant === null ? unreadable(`until is no time: ${shown(until)}`) : done({ do: "hold", until: instant });
}

/** W2. The rest of a report is as the worker wrote it: both sides are one program. */
export function readReport(line: string): Reply<WorkerReport> {
  const object = objectIn(line);
  if (object.kind !== "done") return object;
  const { event, at, turns } = object.value;
  if (!EVENTS.some((known) => known === event)) return unreadable(`there is no event ${shown(event)}`);
  if (parseInstant(at) === null || typeof turns !== "number") return unreadable(`the event ${shown(event)} has no time or count`);
  return done(object.value as unknown as WorkerReport);
}

function objectIn(line: string): Reply<JsonObject> {
  if (line.length > MAX_LINE) return unreadable(`it is longer than ${MAX_LINE} characters`);
  const parsed = parseJsonText(line);
  if (!parsed.ok) return unreadable(parsed.problem.message);
  const { value } = parsed;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? done(value as JsonObject) : unreadable("it is no JSON object");
}

function shown(value: JsonValue | undefined): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 80);
}

function unreadable(why: string): BadInput {
  return reject("line_unreadable", `The line cannot be understood: ${why}.`);
}
