/** All facts of one step: the command's own, how it ended, and what it did to files. */

import type { Done } from "../replay.ts";
import { ARCHIVE } from "./archive.ts";
import type { Facts, Reading } from "./facts.ts";
import { fileFacts } from "./files.ts";
import { HISTORY } from "./history.ts";
import { REFRESH } from "./refresh.ts";
import { ourCode, referenceCode } from "./refused.ts";
import { REGISTRY } from "./registry.ts";
import { STATUS } from "./status.ts";

const READINGS: Readonly<Record<string, Reading>> = {
  status: STATUS,
  history: HISTORY,
  "refresh-state": REFRESH,
  registry: REGISTRY,
  "archive-runtime": ARCHIVE,
};

/** Commands without a reading of their own are held to how they end. */
const NOTHING: Reading = { reference: () => ({}), ours: () => ({}) };

export interface Asked {
  readonly argv: readonly string[];
  /** Of all registries of the case. */
  readonly goal_ids: readonly string[];
}

export function referenceFacts({ argv, goal_ids }: Asked, done: Done): Facts {
  const refused = referenceCode(done.payload);
  return {
    ...endOf(done, goal_ids),
    ...(refused === null ? readingOf(argv).reference(done) : { refused }),
    ...fileFacts(done),
  };
}

export function ourFacts({ argv, goal_ids }: Asked, done: Done): Facts {
  const refused = ourCode(done.payload) ?? brokenOff(done);
  return { ...endOf(done, goal_ids), ...(refused === null ? readingOf(argv).ours(done) : { refused }), ...fileFacts(done) };
}

/** A program that died has no code to give. */
function brokenOff({ exit, stderr }: Done): string | null {
  return exit < 0 || exit >= 70 || (exit === 1 && stderr.includes("\n    at ")) ? stderr : null;
}

/** People read the answer that is no record: it is held to the goals it names. */
function endOf({ exit, stdout, payload }: Done, goalIds: readonly string[]): Facts {
  if (exit !== 0) return { ends: "badly" };
  return payload !== null ? { ends: "well" } : { ends: "well", names: goalIds.filter((id) => stdout.includes(id)) };
}

function readingOf(argv: readonly string[]): Reading {
  return READINGS[argv.find((word) => Object.hasOwn(READINGS, word)) ?? ""] ?? NOTHING;
}
