/** Where archived goals went. */
import type { ArchiveRecord, Archives } from "../../ports/store.ts";
import { encodeCursor, placeAfter } from "./cursor.ts";
import { assertTexts, kept } from "./database.ts";
import { compareKeys, type Key, sortedBy } from "./order.ts";
import type { Session } from "./session.ts";

export function archivesIn(session: Session): Archives {
  return {
    saveArchive: (record) =>
      session.write(({ archives }) => {
        assertTexts(record.archive_path);
        const copy = kept(record);
        return { answer: undefined, commit: () => void archives.set(copy.archive_path, copy) };
      }),
    archives: ({ goal_id, after, limit }) =>
      session.read(({ archives }) => {
        const chosen = [...archives.values()].filter((record) => goal_id === null || record.goal_id === goal_id);
        const newestFirst = sortedBy(chosen, keyOf).toReversed();
        const place = placeAfter(after, newestFirst.map(keyOf), (a, b) => compareKeys(b, a));
        return newestFirst.slice(place, place + limit).map((record) => ({ ...record, cursor: encodeCursor(keyOf(record)) }));
      }),
  };
}

function keyOf({ archived_at, archive_path }: ArchiveRecord): Key {
  return [archived_at, archive_path];
}
