/**
 * Goals page by page: registered ones by id, then the folders that no entry names.
 *
 * Does not own: which goals there are (`subjects.ts`, `registry-rows.ts`).
 *
 * S1  A page costs its own goals: the registry is not walked to get there.
 * S2  Every goal is on exactly one page while the registry stays, whatever the pages' sizes.
 */
import type { RegistryRows } from "./registry-rows.ts";
import { addSubject, registeredSubjects } from "./subjects.ts";
import type { GoalSubject } from "./view-key.ts";

/** No goal id holds this character: behind it stands the id of a folder that no entry names. */
const UNREGISTERED = "/";

export interface SubjectPage {
  /** A place that `placeOf` gave; null: from the start. */
  readonly after: string | null;
  /** `Number.MAX_SAFE_INTEGER`: all. */
  readonly limit: number;
  readonly unregistered: readonly GoalSubject[];
}

export function placeOf({ goal_id, registered }: { readonly goal_id: string; readonly registered: boolean }): string {
  return registered ? goal_id : `${UNREGISTERED}${goal_id}`;
}

/** (S1) */
export async function subjectsAfter(
  rows: RegistryRows,
  { after, limit, unregistered }: SubjectPage,
): Promise<readonly GoalSubject[]> {
  if (after?.startsWith(UNREGISTERED) === true) {
    return unregistered.filter((subject) => subject.goal_id > after.slice(1)).slice(0, limit); // (S2)
  }
  if (limit === Number.MAX_SAFE_INTEGER && after === null) return [...(await registeredSubjects(rows)), ...unregistered];
  const subjects: GoalSubject[] = [];
  for (const registered of await rows.page(after, limit)) addSubject(subjects, registered);
  return [...subjects, ...unregistered].slice(0, limit);
}
