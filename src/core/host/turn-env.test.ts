import { expect, test } from "vitest";
import { type GoalId, parseAgentId, parseGoalId, parseTodoId, parseTurnId, type TodoId, type TurnId } from "../id.ts";
import { type TurnNames, turnEnvironment, turnMarks } from "./turn-env.ts";

const goal = parseGoalId("g");
const TURN: TurnNames = {
  goal_id: (goal.ok ? goal.id : "") as GoalId,
  agent_id:
    parseAgentId("agent-1") ??
    (() => {
      throw new Error("no id");
    })(),
  todo_id: parseTodoId("todo_abc") as TodoId,
  turn_id: parseTurnId("turn/1") as TurnId,
  runtime_root: "/run time/ü;$(id)",
  registry: "/p/.loopx/registry.json",
  result_file: "/r/result.json",
  session_marker: "m-1",
};

test("N1: only what is named is handed on, in either case", () => {
  const inherited = {
    PATH: "/bin",
    http_proxy: "http://p",
    HOME: undefined,
    AWS_SECRET_ACCESS_KEY: "s",
    NODE_OPTIONS: "--x",
    KEY_OF_HOST: "k",
  };
  const environment = turnEnvironment(inherited, { turn: TURN, inherits: ["KEY_OF_HOST"], added: { MODEL: "m" } });
  expect(
    Object.keys(environment)
      .filter((name) => !name.startsWith("LOOPX_"))
      .sort(),
  ).toEqual(["KEY_OF_HOST", "MODEL", "PATH", "http_proxy"]);
});

test("N2: every LOOPX_ variable is of this turn", () => {
  const inherited = { LOOPX_TODO_ID: "todo_outer", LOOPX_REGISTRY: "/outer", LOOPX_LOG: "debug" };
  const outer = { turn: { ...TURN, todo_id: null }, inherits: ["LOOPX_LOG"], added: { LOOPX_GOAL_ID: "other", loopx_x: "y" } };
  expect(turnEnvironment(inherited, outer)).toEqual({
    LOOPX_GOAL_ID: "g",
    LOOPX_AGENT_ID: "agent-1",
    LOOPX_TURN_ID: "turn/1",
    LOOPX_RUNTIME_ROOT: "/run time/ü;$(id)",
    LOOPX_REGISTRY: "/p/.loopx/registry.json",
    LOOPX_TURN_RESULT_FILE: "/r/result.json",
    LOOPX_SESSION_MARKER: "m-1",
  });
  expect(turnEnvironment({}, { turn: TURN, inherits: [], added: {} })).toMatchObject({ LOOPX_TODO_ID: "todo_abc" });
});

test("the marks of a turn are its own and its session's", () => {
  expect(turnMarks(TURN)).toEqual({ LOOPX_TURN_ID: "turn/1", LOOPX_SESSION_MARKER: "m-1" });
});
