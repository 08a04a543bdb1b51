import type { Options } from "./given.ts";

/** For commands whose table row requires `--goal-id`. */
export function goalIdOf(options: Options): string {
  const goalId = options.text("goal-id");
  if (goalId === null) throw new Error("The command does not require --goal-id.");
  return goalId;
}
