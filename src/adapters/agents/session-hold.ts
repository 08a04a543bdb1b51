/**
 * That a session has one supervisor at a time.
 *
 * Does not own: whether a process is alive (`adapters/system`), what is done about what a dead one left (`commands/launch-team.ts`).
 *
 * H1  Who holds the session is in the file with the highest number. To take it over is to create the next number, which one process
 *     alone can, and only after the holder was seen to be dead.
 * H2  A number is never used twice while anybody may still reckon with it: the highest file stays, also after its holder has ended.
 */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ProcessIdentity } from "../../ports/process.ts";
import type { Taken } from "../../ports/team.ts";
import { createPrivately, readPrivateJson } from "./private-files.ts";

const NAME = /^holder-([1-9]\d{0,14})\.json$/;
/** Each attempt was lost to somebody who took it meanwhile. */
const ATTEMPTS = 20;

export function holderOf(folder: string): ProcessIdentity | null {
  const highest = numbersIn(folder).at(-1);
  return highest === undefined ? null : identityIn(folder, highest);
}

/** H1. */
export function takeSession(folder: string, self: ProcessIdentity, isAlive: (identity: ProcessIdentity) => boolean): Taken {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const highest = numbersIn(folder).at(-1) ?? 0;
    const by = highest === 0 ? null : identityIn(folder, highest);
    if (by !== null && isAlive(by)) return { kind: "held", by };
    const created = createPrivately(fileOf(folder, highest + 1), JSON.stringify(self));
    if (typeof created === "object") return { kind: "refused", problem: created };
    if (created === "created" && isHighest(folder, highest + 1)) return { kind: "taken" };
  }
  return { kind: "refused", problem: { path: folder, code: "session_contended", message: "is taken and given up all the time" } };
}

/** H2. Who looked long ago may have created a number below one that is there by now: it gives that up. */
function isHighest(folder: string, mine: number): boolean {
  const numbers = numbersIn(folder);
  const wins = numbers.at(-1) === mine;
  for (const number of numbers) if (wins ? number < mine : number === mine) rmSync(fileOf(folder, number), { force: true });
  return wins;
}

/** Ascending. */
function numbersIn(folder: string): readonly number[] {
  return readdirSync(folder)
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b);
}

function fileOf(folder: string, number: number): string {
  return join(folder, `holder-${number}.json`);
}

/** A file that says nothing is a dead one's. */
function identityIn(folder: string, number: number): ProcessIdentity | null {
  const value = readPrivateJson(fileOf(folder, number)) as Partial<ProcessIdentity> | null;
  if (typeof value !== "object" || value === null) return null;
  const { pid, started, boot_id } = value;
  const isWhole = Number.isSafeInteger(pid) && typeof started === "string" && typeof boot_id === "string";
  return isWhole ? { pid: Number(pid), started, boot_id } : null;
}
