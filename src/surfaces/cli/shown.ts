/** An answer of a use case to its two printed forms. */
import { done, type Reply } from "../../core/result.ts";
import type { Shown } from "./command.ts";
import { plainMarkdown } from "./plain.ts";

/** `render` makes the Markdown; without one every field is listed. */
export function shown<T extends object>(reply: Reply<T>, title: string, render?: (value: T) => string): Reply<Shown> {
  if (reply.kind !== "done") return reply;
  const payload = reply.value;
  return done({ payload, markdown: () => (render === undefined ? plainMarkdown(title, payload) : render(payload)) });
}
