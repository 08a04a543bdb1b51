/**
 * Names of the two files of one run (data-plane 3).
 *
 * N1  Every run of characters outside `0-9A-Za-z-` in the run's time becomes one `-`, those at the ends are dropped; the
 *     second pair of one time is `-2`, then `-3`. A pair is free when neither file exists.
 */

export interface RunPaths {
  readonly json_path: string;
  readonly markdown_path: string;
}

/** N1. `2026-11-30T08:10:01+00:00` → `2026-11-30T08-10-01-00-00`. */
export function runStem(generatedAt: string): string {
  return generatedAt.replace(/[^0-9A-Za-z-]+/g, "-").replace(/^-+|-+$/g, "");
}

/** N1. `attempt` counts from 1. */
export function numberedStem(stem: string, attempt: number): string {
  return attempt === 1 ? stem : `${stem}-${attempt}`;
}

/** Whether a file of that name can belong to a run of that stem. */
export function isNameOfStem(name: string, stem: string): boolean {
  if (!name.startsWith(stem)) return false;
  return /^(?:-[1-9]\d*)?\.(?:json|md)$/.test(name.slice(stem.length));
}
