/**
 * The runs of others as far as their time is not after a moment.
 *
 * U1  A run without a time that can be understood is shown at any moment: nothing says that it came later.
 */
import type { Instant } from "../core/instant.ts";
import type { RunPage } from "../core/runs/run-table.ts";
import type { ForeignReading } from "./foreign-runs.ts";

const PAGE = 500;

export function foreignUntil(reading: ForeignReading, until: Instant | null): ForeignReading {
  if (until === null) return reading;
  const later = new Map<RunPage["which"], Promise<number>>();
  const laterOf = (which: RunPage["which"]): Promise<number> => {
    const known = later.get(which) ?? countLater(reading, which, until);
    later.set(which, known);
    return known;
  };
  return {
    ...reading,
    count: async () => (await reading.count()) - (await laterOf("all")),
    newest: async (page) => await reading.newest({ ...page, skip: page.skip + (await laterOf(page.which)) }),
  };
}

/** They come first (R4 of `core/runs/history.ts`). */
async function countLater(reading: ForeignReading, which: RunPage["which"], until: Instant): Promise<number> {
  for (let skip = 0; ; skip += PAGE) {
    const rows = await reading.newest({ which, skip, limit: PAGE });
    const first = rows.findIndex(({ at }) => at === null || at <= until);
    if (first >= 0) return skip + first;
    if (rows.length < PAGE) return skip + rows.length;
  }
}
