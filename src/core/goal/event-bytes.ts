/** About what an event takes in the store. */
import type { GoalEvent } from "../events.ts";

const ROW_BYTES = 96;

export function eventBytes({ data }: Pick<GoalEvent, "data">): number {
  return JSON.stringify(data).length + ROW_BYTES;
}
