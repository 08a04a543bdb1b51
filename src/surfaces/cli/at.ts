/** `--at`, where it was given. */
import type { Options } from "./given.ts";

export function at(options: Options): { readonly at?: string } {
  const text = options.text("at");
  return text === null ? {} : { at: text };
}
