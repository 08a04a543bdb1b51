/**
 * Where the reading of an index goes on: after what was read, or at the start.
 *
 * G2  A file that is shorter than what was read, whose bytes before the old end are others, or that is another file, is
 *     read from the start.
 */
import type { Damage } from "../core/runs/run.ts";
import type { OpenIndex } from "../ports/run-files.ts";
import type { ForeignCheckpoint } from "../ports/store-foreign.ts";
import { isOfFile } from "./foreign-checkpoint.ts";

const TAIL = 4096;

export interface Start {
  /** Where to go on: null from the start. */
  readonly from: ForeignCheckpoint | null;
  /** What is wrong with the file as a whole, if runs turn out to be missing. */
  readonly suspicion: Damage | null;
}

/** G2. Damage: the file cannot be read. */
export function startFor(index: OpenIndex, known: ForeignCheckpoint | null): Start | Damage {
  if (known === null) return { from: null, suspicion: null };
  if (known.offset > index.facts.size) return suspect("shrunk", `${index.facts.path} was cut: runs that were in it are gone`);
  const tail = tailBefore(index, known.offset);
  if (typeof tail !== "string") return tail;
  if (tail !== known.tail_sha256) return suspect("rewritten", `${index.facts.path} was rewritten: runs that were in it are gone`);
  return { from: isOfFile(known.fingerprint, index.facts) ? known : null, suspicion: null };
}

function suspect(code: Damage["code"], message: string): Start {
  return { from: null, suspicion: { code, line: 0, message } };
}

export function tailBefore(index: OpenIndex, offset: number): string | Damage {
  return index.sha256(Math.max(0, offset - TAIL), offset);
}
