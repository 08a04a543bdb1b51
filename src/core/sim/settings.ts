/** How large a simulated world is, and the line that makes the same one again. */
import { loopxCommand } from "../command-line.ts";

export interface SimSettings {
  readonly seed: number;
  readonly agents: number;
  readonly hours: number;
  /** That the goal begins with. */
  readonly todos: number;
}

export const SIM_DEFAULTS: Omit<SimSettings, "seed"> = { agents: 4, hours: 24, todos: 24 };

export function replayLine({ seed, agents, hours, todos }: SimSettings): string {
  const words = ["--seed", String(seed), "--agents", String(agents), "--hours", String(hours), "--todos", String(todos)];
  return loopxCommand("sim", ...words);
}
