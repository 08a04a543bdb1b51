/** `rebuild` for people. */
import { code } from "../escape.ts";
import { counted, list, page } from "./table.ts";

export interface ShownRebuild {
  readonly goal_count: number;
  readonly events: number;
  /** How many goals were not equal and are now. */
  readonly different: number;
}

export function rebuildPage({ goal_count, events, different }: ShownRebuild): string {
  const found = different === 0 ? "everything was as it should be" : `${counted(different, "goal")} put right`;
  return page(
    [`# ${counted(goal_count, "goal")} derived again: ${found}`],
    list([`${counted(events, "event")} of the journal`]),
    [`Next: ${code("loopx status")}`],
  );
}
