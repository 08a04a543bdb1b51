import { describe, expect, test } from "vitest";
import { encodeValue, isMetadataComment, readMetadata } from "./metadata.ts";

const read = (comment: string): ReturnType<typeof readMetadata> => readMetadata(comment, { start: 0, end: comment.length });

describe("metadata comments", () => {
  test.each([
    ["<!-- loopx:todo a=1 -->", true],
    ["<!--loopx:todo-->", true],
    ["<!-- loopx: a=1 -->", true],
    ["<!-- loopx:todo_id=todo_aaa -->", true],
    ["<!-- loopx a=1 -->", false],
    ["<!-- a=1 -->", false],
  ])("%s: %s", (comment, ours) => {
    expect(isMetadataComment(comment, { start: 0, end: comment.length })).toBe(ours);
  });

  test.each([
    ["todo_id", "todo_aaa", "todo_A"],
    ["status", "blocked", "closed"],
    ["task_class", "user_gate", "gate"],
    ["action_kind", "run_eval", "Run"],
    ["claimed_by", "Agent-A", "1agent"],
    ["bound_agent", "agent-a", "-"],
    ["blocks_agent", "agent-a", "!"],
    ["unblocks_todo_id", "todo_aaa", "aaa"],
    ["unblocks_todo_id", "todo_aaa,todo_bbb", "todo_aaa,"],
    ["blocks_agent", "agent-a,agent-b", "agent-a,!"],
    ["superseded_by", "todo_aaa", "todo_"],
    ["continuation_policy", "independent_handoff", "handoff"],
    ["completion_continuation", "no_followup", "none"],
    ["validation_timeout_seconds", "3600", "3601"],
    ["validation_timeout_seconds", "1", "0"],
    ["validation_timeout_seconds", "20", "2x"],
    ["consecutive_no_change", "0", "-1"],
    ["max_no_change_before_replan", "12", "many"],
    ["global_gate", "true", "yes"],
    ["completed_at", "2026-08-01T09:00:00Z", "yesterday"],
    ["note", "anything", "50%"],
  ])("M2: %s takes %s, not %s", (key, good, bad) => {
    expect(read(`<!-- loopx:todo ${key}=${good} ${key}=${bad} -->`).tokens.map(({ value, valid }) => [value, valid])).toEqual([
      [good, true],
      [bad, false],
    ]);
  });

  test.each(["plain", "a b", "a-->b", "50%", "!~*'()", "é日🚀", "a:b.c_d-e", "", "\n"])("M1: %j is read back equal", (value) => {
    const encoded = encodeValue(value);
    expect(encoded).toMatch(/^(?:[A-Za-z0-9_.:-]|%[0-9A-F]{2})*$/);
    expect(read(`<!-- loopx:todo k=${encoded}-->`).tokens[0]?.value).toBe(value);
  });

  test("a comment of someone else has no mark to skip", () => {
    expect(read("<!-- a=1 -->").tokens.map(({ key }) => key)).toEqual(["a"]);
  });

  test("M1: half of a surrogate pair becomes U+FFFD", () => {
    expect(encodeValue("\ud83d")).toBe("%EF%BF%BD");
  });
});
