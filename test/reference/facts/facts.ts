/** What a command said and did, in words that both programs can be held to. */
import type { Json } from "../json.ts";
import type { Done } from "../replay.ts";

export type Facts = Readonly<Record<string, Json>>;

/** One pair for each command: how the reference says it, how we do. */
export interface Reading {
  readonly reference: (done: Done) => Facts;
  readonly ours: (done: Done) => Facts;
}

/** By code unit: the same on both sides is all that counts. */
export function sorted(texts: readonly string[]): readonly string[] {
  return [...texts].sort();
}
