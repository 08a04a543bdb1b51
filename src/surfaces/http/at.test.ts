// `at` over HTTP: the same bytes as the command prints with `--at`, and the same no.
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeWorld, REFRESH, type World } from "../../../test/fakes/workspace.ts";
import type { App } from "../../commands/app.ts";
import type { GoalId } from "../../core/id.ts";
import type { Reply } from "../../core/result.ts";
import { runFake } from "../cli/host.sample.ts";
import { noOf, type SampleHttp, sampleHttp } from "./http.sample.ts";

let world: World;
let http: SampleHttp;
const times: string[] = [];
let last = 0;

/** Three steps, an hour from each other. */
beforeAll(async () => {
  world = await makeWorld();
  http = await sampleHttp({ app: world.app });
  const steps: readonly (() => Promise<unknown>)[] = [
    () => world.app.refresh({ ...REFRESH, agentId: "builder" }),
    () => http.post("/goals/alpha/claim", { agent_id: "builder", todo_id: "todo_ground" }),
    () => world.app.goalStop({ goalId: "alpha", reason: "budget", dryRun: false }),
  ];
  for (const step of steps) {
    await step();
    times.push(world.now());
    world.advance(3_600_000);
  }
  const { head } = await world.store.load({ goal_id: "alpha" as GoalId, todos: "none", base: "none" });
  last = head?.seq ?? 0;
});

afterAll(() => world.close());

type UseCase = (request: unknown) => Promise<Reply<object>>;

async function printed(command: string): Promise<string> {
  const answer = ({ use_case, request }: { readonly use_case: string; readonly request: unknown }) =>
    (world.app[use_case as keyof App] as UseCase)(request);
  return (await runFake([...command.split(" "), "--goal-id", "alpha", "--json"], { answer })).out;
}

const PAIRS: readonly (readonly [path: string, command: string])[] = [
  ["/status?goal_id=alpha&", "status"],
  ["/status.json?goal_id=alpha&agent_id=builder&", "status --agent-id builder"],
  ["/goals/alpha/history?", "history"],
  ["/goals/alpha/next?agent_id=builder&", "next --agent-id builder"],
  ["/goals/alpha/why?agent_id=builder&", "why --agent-id builder"],
  ["/goals/alpha/todos/todo_ground/why-not?agent_id=helper&", "why-not todo_ground --agent-id helper"],
];

it.each(PAIRS)("%s answers what the command prints, after each event and by time", async (path, command) => {
  const moments = [...Array.from({ length: last }, (_, index) => String(index + 1)), ...times];
  const answers = new Set<string>();
  for (const at of moments) {
    const response = await http.ask(`${path}at=${encodeURIComponent(at)}`);
    const [text, told] = [await response.text(), await printed(`${command} --at ${at}`)];
    answers.add(text);
    if (response.status === 404) {
      // The goal was opened before its todos were taken in.
      expect([JSON.parse(text).code, JSON.parse(told).code, path.includes("why-not")]).toEqual([
        "unknown_todo",
        "unknown_todo",
        true,
      ]);
      continue;
    }
    expect([at, response.status, text]).toEqual([at, 200, told]);
    expect(JSON.parse(text)).toMatchObject({ at: { seq: expect.any(Number), time: expect.any(String) } });
  }
  expect(answers.size).toBeGreaterThan(last / 2);
});

it.each([
  ["at=99", "at_out_of_range"],
  ["at=0", "at_out_of_range"],
  ["at=2020-01-01T00:00:00Z", "at_out_of_range"],
  ["at=yesterday", "at_invalid"],
  ["at=", "invalid_parameter"],
  ["at=1&at=2", "repeated_parameter"],
])("%s is 400 %s, on every route that takes it", async (at, code) => {
  for (const [path] of PAIRS) {
    const no = await http.ask(`${path}${at}`);
    expect([path, no.status, (await noOf(no)).code]).toEqual([path, 400, code]);
  }
});

it.each([
  ["/status?at=1", "at_needs_goal"],
  ["/next?agent_id=builder&at=1", "unknown_parameter"],
  ["/goals/alpha?at=1", "unknown_parameter"],
])("%s is 400 %s: only one goal can be looked back at", async (target, code) => {
  const no = await http.ask(target);
  expect([no.status, (await noOf(no)).code]).toEqual([400, code]);
});
