/**
 * The text of a todo as it is kept: one line, whole, with its priority in front.
 *
 * X1  White space, line endings too, collapses to one space, because it stands on one line of the state file. Nothing is cut.
 * X2  What no store and no file can hold is refused: the character U+0000, and halves of surrogate pairs.
 */
import { withoutPriority, withPriority } from "../plan/priority.ts";
import { collapse } from "../plan/white-space.ts";
import { done, type Reply, reject } from "../result.ts";

export function todoText(text: string, priority: number | null): Reply<string> {
  if (/\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)) {
    return reject("todo_text_invalid", "The text has a character that cannot be kept: U+0000, or half of a surrogate pair."); // (X2)
  }
  const whole = collapse(text); // (X1)
  if (withoutPriority(whole) === "") return reject("todo_text_empty", "A todo needs a text.");
  return done(priority === null ? whole : withPriority(whole, priority));
}
