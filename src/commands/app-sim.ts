/** The simulation, as everything LoopX can do has it. */
import type { Reply } from "../core/result.ts";
import type { SimPayload } from "../core/sim/report.ts";
import type { SimSettings } from "../core/sim/settings.ts";

export interface SimApp {
  /** Needs no project. */
  sim(request: SimSettings): Promise<Reply<SimPayload>>;
}
