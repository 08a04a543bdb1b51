/** What becomes of a turn: how hosts behave, good and bad. */
import type { TodoRecord } from "../events.ts";
import { MINUTE, SECOND } from "./clock.ts";
import type { Random } from "./random.ts";

export type Behaviour =
  | "finishes"
  | "gets_on"
  | "fails_its_checks"
  | "fails_again"
  | "rate_limited"
  | "asks"
  | "hangs"
  | "crashes"
  | "gives_back"
  | "hands_over";

export interface Course {
  readonly does: Behaviour;
  readonly lasts_ms: number;
}

const WEIGHTS: Readonly<Record<Exclude<Behaviour, "fails_again">, number>> = {
  finishes: 54,
  gets_on: 12,
  fails_its_checks: 9,
  rate_limited: 3,
  asks: 3,
  hangs: 6,
  crashes: 7,
  gives_back: 3,
  hands_over: 3,
};

export function courseOf(random: Random, todo: TodoRecord, ttl_ms: number): Course {
  const does = isStubborn(todo) ? "fails_again" : random.weighted(WEIGHTS);
  return { does, lasts_ms: lasts(random, does, ttl_ms) };
}

/** Some work fails the same way each time, until somebody says it otherwise. */
function isStubborn({ todo_id, text }: TodoRecord): boolean {
  return todo_id.endsWith("7") && !text.includes("otherwise");
}

function lasts(random: Random, does: Behaviour, ttl_ms: number): number {
  if (does === "hangs") return Math.floor(ttl_ms * (1.1 + random.fraction() * 2));
  if (random.chance(0.15)) return Math.floor(ttl_ms * (0.5 + random.fraction() * 2));
  return random.between(20 * SECOND, 12 * MINUTE);
}
