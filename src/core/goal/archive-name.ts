/**
 * Names of archive folders: `<goal_id>-<YYYYMMDDTHHMMSSZ>`, and where that is taken `-<suffix>` behind it (S08).
 *
 * N1  A name is found without looking at other archives: the first of `candidates` that is free, and each further one is
 *     random, so that the ten-thousandth archive of a goal costs what the first did.
 * N2  The id in a name is everything before its last stamp, so that an id that looks like an archive's name is found again.
 */
import { type GoalId, parseGoalId } from "../id.ts";
import { type Instant, parseInstant, toStamp } from "../instant.ts";

const NAME = /^(.+)-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z(?:-[0-9a-z]+)?$/su;

export interface ArchiveName {
  readonly goal_id: GoalId;
  readonly archived_at: Instant;
}

/** N1. */
export function* archiveNames(goalId: GoalId, at: Instant, suffix: () => string): Generator<string> {
  const name = `${goalId}-${toStamp(at)}`;
  yield name;
  for (;;) yield `${name}-${suffix()}`;
}

/** N2. Null for the name of anything else. */
export function parseArchiveName(name: string): ArchiveName | null {
  const [, id, year, month, day, hours, minutes, seconds] = NAME.exec(name) ?? [];
  const parsed = parseGoalId(id);
  const archived_at = parseInstant(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}Z`);
  return parsed.ok && archived_at !== null ? { goal_id: parsed.id, archived_at } : null;
}
