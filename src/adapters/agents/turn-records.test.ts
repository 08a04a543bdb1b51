import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TURN_RECORD_SCHEMA, type TurnRecord } from "../../core/host/turn-record.ts";
import type { AgentId, GoalId, TodoId, TurnId } from "../../core/id.ts";
import type { Instant } from "../../core/instant.ts";
import { programFolder } from "./program-folder.ts";
import { fileTurnRecords } from "./turn-records.ts";

const GOAL = "göal 1" as GoalId;
const RECORD: TurnRecord = {
  schema_version: TURN_RECORD_SCHEMA,
  turn_id: "turn/1" as TurnId,
  goal_id: GOAL,
  agent_id: "a1" as AgentId,
  todo_id: "todo_one" as TodoId,
  text: "Build it",
  act: "run",
  host: "command",
  session_marker: "m",
  runner: { pid: 1, started: "s", boot_id: "b" },
  begun_at: "2026-11-30T08:00:00.000Z" as Instant,
  phase: { kind: "claiming" },
};

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "loopx-records-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const folder = (): string => join(root, "goals", GOAL, "turns");

test("F1: a record is read back as it was put, for its owner alone, and nothing stands beside it", () => {
  const records = fileTurnRecords({ runtime_root: root });
  records.put(RECORD);
  records.put({ ...RECORD, phase: { kind: "hosting", epoch: 3 } });
  const { record } = records.paths(GOAL, RECORD.turn_id);
  expect(records.list(GOAL)).toEqual({ records: [{ ...RECORD, phase: { kind: "hosting", epoch: 3 } }], problems: [] });
  expect({ mode: statSync(record).mode & 0o777, names: readdirSync(folder()) }).toEqual({ mode: 0o600, names: ["turn_1.json"] });
});

test("records come oldest first, and go with their results", () => {
  const records = fileTurnRecords({ runtime_root: root });
  const older = { ...RECORD, turn_id: "z" as TurnId, begun_at: "2026-11-29T08:00:00.000Z" as Instant };
  records.put(RECORD);
  records.put(older);
  writeFileSync(records.paths(GOAL, RECORD.turn_id).result, "{}");
  expect(records.list(GOAL).records.map(({ turn_id }) => turn_id)).toEqual(["z", "turn/1"]);
  records.remove(RECORD);
  records.remove(RECORD);
  expect(readdirSync(folder())).toEqual(["z.json"]);
});

test.each([
  ["no JSON", "{"],
  ["another schema", JSON.stringify({ ...RECORD, schema_version: "loopx_turn_v9" })],
  ["no turn", JSON.stringify({ ...RECORD, turn_id: "" })],
  ["no phase", JSON.stringify({ ...RECORD, phase: { kind: "dreaming" } })],
  ["null", "null"],
])("R4: a record with %s is a problem with its place, and stays", (_flaw, text) => {
  mkdirSync(folder(), { recursive: true });
  const path = join(folder(), "t.json");
  writeFileSync(path, text);
  const { records, problems } = fileTurnRecords({ runtime_root: root }).list(GOAL);
  expect(records).toEqual([]);
  expect(problems).toMatchObject([{ path, code: "turn_record_unreadable" }]);
  expect(existsSync(path)).toBe(true);
});

test("a record that is gone by the time that it is read is none, and no problem", () => {
  const records = fileTurnRecords({ runtime_root: root });
  records.put(RECORD);
  symlinkSync(join(folder(), "gone"), join(folder(), "t.json"));
  expect(records.list(GOAL)).toEqual({ records: [RECORD], problems: [] });
});

test("a goal without turns has none, and a disk that takes nothing is a fault", () => {
  expect(fileTurnRecords({ runtime_root: root }).list(GOAL)).toEqual({ records: [], problems: [] });
  writeFileSync(join(root, "goals"), "a file");
  expect(() => fileTurnRecords({ runtime_root: root }).put(RECORD)).toThrow(/cannot be written/);
});

describe("where a host finds loopx", () => {
  test("P1: ahead of everything else, the program that runs, also through a link", () => {
    const program = join(root, "loopx.cjs");
    writeFileSync(program, "");
    symlinkSync(program, join(root, "link"));
    const [first = "", second] = programFolder(root, "/bin", join(root, "link")).split(delimiter);
    expect(realpathSync(join(first, "loopx"))).toBe(program);
    expect(second).toBe("/bin");
    expect(programFolder(root, "/bin", program).split(delimiter)[0]).toBe(first);
  });

  test.each([undefined, "/nowhere/loopx.cjs", import.meta.filename])("P2: started with %s the PATH is the person's", (script) => {
    expect(programFolder(root, "/bin", script).split(delimiter)[0]).toBe("/bin");
  });
});
