/** Amounts of quota for people; what is 0 is left out, but for slots. */
import type { Units } from "../../events.ts";
import { counted } from "./table.ts";

const MINUTE_MS = 60_000;

export function unitsText({ slots, tokens, wall_ms }: Units): string {
  return [
    counted(slots, "slot"),
    ...(tokens > 0 ? [counted(tokens, "token")] : []),
    ...(wall_ms > 0 ? [`${Math.round(wall_ms / MINUTE_MS)} min of work`] : []),
  ].join(", ");
}
