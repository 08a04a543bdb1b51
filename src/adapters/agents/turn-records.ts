/**
 * Records of turns as files, `goals/<goal>/turns/<turn>.json` under the runtime root, each beside the result that its host hands over.
 *
 * F1  A record is there whole or not at all, with mode 0600.
 * F2  It survives the end of a process at any point. Whether it survives a loss of power is left to the system: the lease of a turn
 *     whose record is lost runs out, and what the goal was told is in the store.
 */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readTurnRecord, type TurnRecord, turnRecordText } from "../../core/host/turn-record.ts";
import type { GoalId, TurnId } from "../../core/id.ts";
import type { Problem } from "../../core/result.ts";
import { Fault } from "../../errors.ts";
import type { TurnPaths, TurnRecords } from "../../ports/turn-records.ts";

const RECORD = /^[\w.-]+\.json$/;
const RESULT = /\.result\.json$/;

export function fileTurnRecords({ runtime_root }: { readonly runtime_root: string }): TurnRecords {
  const folderOf = (goalId: GoalId): string => join(runtime_root, "goals", goalId, "turns");
  const paths = (goalId: GoalId, turnId: TurnId): TurnPaths => {
    const stem = join(folderOf(goalId), turnId.replaceAll(/[^\w.-]/g, "_"));
    return { record: `${stem}.json`, result: `${stem}.result.json` };
  };
  return {
    paths,
    list: (goalId) => readAll(folderOf(goalId)),
    put: (record) => replace(paths(record.goal_id, record.turn_id).record, turnRecordText(record)),
    remove: ({ goal_id, turn_id }) => {
      const { record, result } = paths(goal_id, turn_id);
      rmSync(result, { force: true, recursive: true });
      rmSync(record, { force: true });
    },
  };
}

function readAll(folder: string): ReturnType<TurnRecords["list"]> {
  const records: TurnRecord[] = [];
  const problems: Problem[] = [];
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const text = textOf(path);
    if (text === null) continue; // It was removed since the look.
    const read = readTurnRecord(text);
    if (read.kind === "done") records.push(read.value);
    else problems.push({ path, code: read.code, message: read.message });
  }
  return { records: records.sort((a, b) => (a.begun_at < b.begun_at ? -1 : 1)), problems };
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => RECORD.test(name) && !RESULT.test(name));
  } catch {
    return [];
  }
}

/** Null: it is not there. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return existsSync(path) ? "" : null;
  }
}

/** F1, F2. */
function replace(path: string, text: string): void {
  const temporary = join(dirname(path), `.loopx-${process.pid}-${randomBytes(6).toString("hex")}.tmp`);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
    renameSync(temporary, path);
  } catch (cause) {
    removeLeftover(temporary);
    throw new Fault({
      code: "turn_record_unwritable",
      message: `${path} cannot be written`,
      hint: "Check who owns the runtime root, and whether its disk is full.",
      cause,
    });
  }
}

/** What stands in the way of it is told already. */
function removeLeftover(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    return;
  }
}
