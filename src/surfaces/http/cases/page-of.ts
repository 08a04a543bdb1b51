import type { PageRequest } from "../../../commands/app.ts";
import type { Given } from "../../../schema/http/parameters.ts";

export function pageOf(given: Given): PageRequest {
  return { limit: given.limit ?? null, cursor: given.cursor ?? null };
}
