import { describe, expect, test } from "vitest";
import type { AgentId } from "../id.ts";
import { argvIn, metadataPatch, patched, type TodoWords } from "./todo-words.ts";

const AGENTS = ["ada", "bob"] as unknown as readonly AgentId[];

function kept(said: TodoWords, agents = AGENTS): unknown {
  const read = metadataPatch(said, agents);
  return read.kind === "done" ? read.value : read.code;
}

describe("W1 a value is kept in the form that is read back", () => {
  test.each<[TodoWords, Record<string, string | null>]>([
    [{ task_class: "user_gate" }, { task_class: "user_gate" }],
    [{ claimed_by: "ADA" }, { claimed_by: "ada" }],
    [{ excluded_agents: ["bob", "ada", "bob"] }, { excluded_agents: "bob,ada" }],
    [{ depends_on: ["todo_aaa", "todo_bbb"] }, { depends_on: "todo_aaa,todo_bbb" }],
    [{ required_capabilities: ["Docker-Build"] }, { required_capabilities: "docker_build" }],
    [{ required_write_scopes: ["src/**", "docs/*.md"] }, { required_write_scopes: "src/**,docs/*.md" }],
    [{ expires_at: "2026-12-01T10:00:00+02:00" }, { expires_at: "2026-12-01T08:00:00+00:00" }],
    [{ cadence: "30m" }, { cadence: "30m" }],
    [{ resume_when: "todo_done:todo_aaa" }, { resume_when: "todo_done:todo_aaa" }],
    [{ resume_when: "capacity_available:GPU-Big" }, { resume_when: "capacity_available:gpu_big" }],
    [{ resume_when: "2027-01-10" }, { resume_when: "at:2027-01-10T00:00:00+00:00" }],
    [{ resume_when: "at:2027-01-10T05:00:00Z" }, { resume_when: "at:2027-01-10T05:00:00+00:00" }],
    [{ resume_when: "pr_merged:a/b#12" }, { resume_when: "pr_merged:a/b#12" }],
    [{ resume_when: 'command:[ "test", "-f", "x" ]' }, { resume_when: 'command:["test","-f","x"]' }],
    [{ run: '["curl", "-s", "http://x"]' }, { run: '["curl","-s","http://x"]' }],
    [{ decision_scope: "direction:goal:importer" }, { decision_scope: "direction:goal:importer" }],
    [{ validation_timeout_seconds: 90 }, { validation_timeout_seconds: "90" }],
    [{ note: "  two\nlines, <b> --> " }, { note: "two\nlines, <b> -->" }],
    [
      { watch_only: true, goal_bound: false },
      { watch_only: "true", goal_bound: null },
    ],
    [
      { on_reject: "reopen", default_outcome: "reject" },
      { on_reject: "reopen", default_outcome: "reject" },
    ],
  ])("%j", (said, expected) => {
    expect(kept(said)).toEqual(expected);
  });

  test.each<[TodoWords, string]>([
    [{ task_class: "work" }, "task_class_invalid"],
    [{ action_kind: "Fix It" }, "action_kind_invalid"],
    [{ claimed_by: "9x" }, "agent_id_invalid"],
    [{ claimed_by: "carl" }, "unknown_agent"],
    [{ excluded_agents: ["ada", "carl"] }, "unknown_agent"],
    [{ depends_on: ["nonsense"] }, "todo_id_invalid"],
    [{ unblocks_todo_id: ["todo_A"] }, "todo_id_invalid"],
    [{ resume_when: "todo_done:nonsense" }, "resume_when_invalid"],
    [{ resume_when: "tomorrow" }, "resume_when_invalid"],
    [{ resume_when: "command:rm -rf x" }, "resume_when_invalid"],
    [{ resume_when: 'command:["-x"]' }, "resume_when_invalid"],
    [{ resume_when: "pr_merged:a/b" }, "resume_when_invalid"],
    [{ cadence: "0m" }, "cadence_invalid"],
    [{ cadence: "soon" }, "cadence_invalid"],
    [{ expires_at: "next week" }, "expires_at_invalid"],
    [{ required_write_scopes: ["../x"] }, "required_write_scopes_invalid"],
    [{ required_write_scopes: ["/etc"] }, "required_write_scopes_invalid"],
    [{ required_write_scopes: ["a b"] }, "required_write_scopes_invalid"],
    [{ required_capabilities: ["9"] }, "required_capabilities_invalid"],
    [{ decision_scope: "direction" }, "decision_scope_invalid"],
    [{ decision_scope: "direction:galaxy:x" }, "decision_scope_invalid"],
    [{ run: "ls" }, "run_invalid"],
    [{ run: '["ls", ""]' }, "run_invalid"],
    [{ run: '["-rf"]' }, "run_invalid"],
    [{ run: '["a\\u0000"]' }, "run_invalid"],
    [{ run: "[]" }, "run_invalid"],
    [{ validation_command_argv: '{"a":1}' }, "validation_command_argv_invalid"],
    [{ target_key: "a\u0007b" }, "target_key_invalid"],
    [{ note: "a\0b" }, "note_invalid"],
    [{ reason: "   " }, "reason_invalid"],
  ])("%j is refused as %s", (said, code) => {
    expect(kept(said)).toBe(code);
  });

  test("where no agent is registered, any name will do", () => {
    expect(kept({ claimed_by: "carl" }, [])).toEqual({ claimed_by: "carl" });
  });

  test("the flaw names its key, and what is near", () => {
    const read = metadataPatch({ claimed_by: "carl" }, AGENTS);
    expect(read).toMatchObject({ kind: "bad_input", problems: [{ path: "claimed_by" }], near: AGENTS });
  });
});

test("W2 what was not said is not in the answer", () => {
  expect(kept({ task_class: null, excluded_agents: [], watch_only: null })).toEqual({});
});

test("keys keep their place, new ones come last, null takes one away", () => {
  const after = patched({ b: "1", a: "2", c: "3" }, { a: "9", b: null, z: "4" });
  expect(Object.entries(after)).toEqual([
    ["a", "9"],
    ["c", "3"],
    ["z", "4"],
  ]);
});

test.each([
  ["", null],
  ["7", null],
  ['["a",7]', null],
  ['["a","b"]', ["a", "b"]],
])("arguments in %j", (text, expected) => {
  expect(argvIn(text)).toEqual(expected);
});
