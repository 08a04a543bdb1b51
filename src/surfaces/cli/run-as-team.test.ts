import { expect, test } from "vitest";
import { type LaunchRequest, UNASKED } from "../../commands/launch-words.ts";
import { refuse } from "../../core/result.ts";
import { runFake } from "./host.sample.ts";

/** What `loopx run` asks of the application. */
async function asked(...words: readonly string[]): Promise<LaunchRequest | undefined> {
  const { calls } = await runFake(["run", ...words], { answer: () => refuse("far_enough", "Far enough") });
  const [only] = calls;
  expect(only?.use_case).toBe("launch");
  return only?.request as LaunchRequest | undefined;
}

test.each([
  ["", { maxTurns: 1, idleExit: "1" }],
  ["--until-idle", { maxTurns: null, idleExit: "1" }],
  ["--turns 3", { maxTurns: 3, idleExit: "1" }],
  ["--max-turns 3 --until-idle", { maxTurns: 3, idleExit: "1" }],
  ["--until-idle --idle-exit never", { maxTurns: null, idleExit: "never" }],
  ["--idle-exit 0.2", { maxTurns: 1, idleExit: "0.2" }],
])("A1: run --agents 2 %s", async (words, wanted) => {
  const request = await asked("--agents", "2", ...words.split(" ").filter((word) => word !== ""));
  expect(request).toEqual({ ...UNASKED, agents: 2, ...wanted });
});

test("A1: what else a team can carry out is passed on", async () => {
  const words = [
    "--goal-id=g",
    "--host-command-json=[]",
    "--workspace=w",
    "--turn-timeout=9",
    "--turn-idle-timeout=8",
    "--grace=2",
    "--max-load=3",
  ];
  expect(await asked("--agent-id", "a", "--agent", "b", "--agent", "c", "--detach", ...words)).toMatchObject({
    agentIds: ["a", "b", "c"],
    goalIds: ["g"],
    hostCommand: "[]",
    workspace: "/project/w",
    turnTimeoutSeconds: 9,
    turnIdleTimeoutSeconds: 8,
    graceSeconds: 2,
    maxLoad: 3,
    mode: "detach",
  });
});

test.each([["--ttl-seconds", "9"], ["--available-capability", "gpu"], ["--log-dir", "logs"], ["--retry-host"], ["--worker"]])(
  "A2: %s is refused for a team",
  async (option, ...value) => {
    const { exit, out, calls } = await runFake(["run", "--agents", "2", option, ...value, "--json"]);
    expect([exit, calls]).toEqual([2, []]);
    expect(JSON.parse(out)).toMatchObject({ code: "option_conflict", message: expect.stringContaining(option) });
  },
);
