/**
 * Ends what runs that were killed have left of their turns: hosts and checks, found by the marks of the turn.
 *
 * Does not own: what becomes of such a turn (`resume-turns.ts`).
 */
import { turnMarks } from "../core/host/turn-env.ts";
import type { TurnRecord } from "../core/host/turn-record.ts";
import type { RunPorts } from "./turn-ports.ts";

type Ports = Pick<RunPorts, "processes" | "records" | "identities">;

const GRACE_MS = 2000;

export async function endLeftovers({ processes }: Pick<Ports, "processes">, record: TurnRecord): Promise<void> {
  const { kind } = record.phase;
  if (kind === "hosting" || kind === "judged") await processes.sweep(turnMarks(record), GRACE_MS);
}

/** Of other turns about the same todo, whichever agent's: their lease is another one's now. */
export async function endLeftoversBeside(ports: Ports, { goal_id, todo_id, turn_id }: TurnRecord): Promise<void> {
  for (const other of ports.records.list(goal_id).records) {
    if (other.todo_id !== todo_id || other.turn_id === turn_id || ports.identities.isAlive(other.runner)) continue;
    await endLeftovers(ports, other);
  }
}
