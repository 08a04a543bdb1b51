/** Which files a step made, changed and took away, whatever the times in their names. */
import { withoutTimes } from "../clock-words.ts";
import type { Done } from "../replay.ts";
import type { Changes } from "../tree.ts";
import { type Facts, sorted } from "./facts.ts";

/** What only the reference writes, by kind: told apart, so that one line of the list of differences says it for all steps. */
const THEIRS: readonly (readonly [string, RegExp])[] = [
  ["lock files", /\.lock$/],
  ["rollout-event-log.jsonl", /\/rollout-event-log\.jsonl$/],
  ["registry.global.json", /\/registry\.global\.json$/],
  ["status-projection-cache", /\/status-projection-cache\//],
];

/** What only we write: the store, and what is derived from it. */
const OURS = /(?:^|\/)(?:loopx\.db(?:-wal|-shm)?|projection\.json|journal\.jsonl|archive\.json|logs\/.*|\.loopx\.[^/]*)$/;

export function fileFacts({ changes }: Done): Facts {
  const all = [...changes.added, ...changes.changed, ...changes.removed];
  const kinds = THEIRS.filter(([, pattern]) => all.some((path) => pattern.test(path))).map(([kind]) => [`files: ${kind}`, true]);
  return { ...compared(changes), ...Object.fromEntries(kinds) };
}

function compared(changes: Changes): Facts {
  const common = (paths: readonly string[]): readonly string[] =>
    sorted(paths.filter((path) => !OURS.test(path) && !THEIRS.some(([, theirs]) => theirs.test(path))).map(withoutTimes));
  return {
    "files added": common(changes.added),
    "files changed": common(changes.changed),
    "files removed": common(changes.removed.filter((path) => !wasEmpty(path, changes))),
  };
}

/** An empty folder is told like a file; it is not gone when something was put into it. */
function wasEmpty(path: string, { added }: Changes): boolean {
  return added.some((other) => other.startsWith(`${path}/`));
}
