/** `at`, where it was given. */
import type { Given } from "../../schema/http/parameters.ts";

export function momentOf({ at }: Given): { readonly at?: string } {
  return at === undefined ? {} : { at };
}
