/** An answer of a use case to its two printed forms. */
import { done, type Reply } from "../../core/result.ts";
import type { Shown } from "./command.ts";
import type { Options } from "./given.ts";

export function shown<T extends object>(reply: Reply<T>, page: (answer: T) => string): Reply<Shown> {
  if (reply.kind !== "done") return reply;
  const payload = reply.value;
  return done({ payload, markdown: () => page(payload) });
}

/** A screen, or all rows of the answer where a part of the list was asked for. */
export function rowsOf(options: Options): "screen" | "all" {
  return options.flag("all") || options.number("limit") !== null || options.text("cursor") !== null ? "all" : "screen";
}
