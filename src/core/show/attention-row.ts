/** An item of the queue in few bytes: its texts shortened, its command whole or replaced by the one that shows it. */
import { goalCommandFor } from "../drift/drift.ts";
import type { AttentionItem } from "./attention.ts";
import { cutter } from "./cutter.ts";
import { entryBytes } from "./print-json.ts";

export interface FittedItem {
  readonly item: AttentionItem;
  readonly texts: number;
  /** That the item takes in its list. */
  readonly bytes: number;
}

const LIMITS = [Number.POSITIVE_INFINITY, 320, 160, 80, 40] as const;
const LEAST = 16;

/** Whole if that fits, else with the longest texts that do; the shortest are taken in any case. */
export function fitItem(item: AttentionItem, bytes: number): FittedItem {
  for (const limit of LIMITS) {
    const fitted = shortened(item, limit);
    if (fitted.bytes <= bytes) return fitted;
  }
  return shortened(item, LEAST);
}

function shortened(item: AttentionItem, limit: number): FittedItem {
  const cut = cutter(limit);
  const fix = "person" in item.fix ? { person: cut.text(item.fix.person) } : item.fix;
  const long = "command" in fix && cut.text(fix.command) !== fix.command;
  const shown = {
    ...item,
    status: cut.text(item.status),
    recommended_action: cut.text(item.recommended_action),
    fix: long ? { command: goalCommandFor(item.goal_id, "drift"), safe: true } : fix,
  };
  return { item: shown, texts: cut.count(), bytes: entryBytes(shown) };
}
