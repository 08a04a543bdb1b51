/**
 * What of a working folder evidence of some checks depends on.
 *
 * N1  One check that declares no inputs makes it all of the folder; so does no check at all.
 */
import { compareText } from "../show/rank.ts";
import type { Check } from "./acceptance.ts";

/** Null: all of it. The same for the same checks, in whatever order. */
export function treeInputs(checks: readonly Pick<Check, "inputs">[]): readonly string[] | null {
  const all = new Set<string>();
  for (const { inputs } of checks) {
    if (inputs === null) return null; // (N1)
    for (const input of inputs) all.add(input);
  }
  return all.size === 0 ? null : [...all].sort(compareText); // (N1)
}
