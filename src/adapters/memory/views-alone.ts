/** Views that last as long as the process: for a store that cannot keep any. */
import type { Views } from "../../ports/store-views.ts";
import { memoryDatabase } from "./database.ts";
import { Session } from "./session.ts";
import { viewsIn } from "./views.ts";

export function viewsAlone(): Views {
  return viewsIn(new Session(memoryDatabase(), "read_write"));
}
