/** Text for a terminal: what could move the cursor, recolour, or turn the writing direction is shown as an escape. */
import { withoutHostile } from "../../core/show/escape.ts";

/** One line, whatever the text holds. */
export function printableLine(text: string): string {
  return withoutHostile(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}
