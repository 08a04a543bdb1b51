// The command line, HTTP and the library give one answer: on random small goals, before and after somebody has taken a todo.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { App } from "../../src/commands/app.ts";
import { type Reply, reject } from "../../src/core/result.ts";
import { type Call, runFake } from "../../src/surfaces/cli/host.sample.ts";
import { type SampleHttp, sampleHttp } from "../../src/surfaces/http/http.sample.ts";
import { smallGoal } from "../arbitrary/small-goal.ts";
import { makeWorld, registryText, type World, write } from "../fakes/workspace.ts";

const RUNS = 40;

type Said = Readonly<Record<string, unknown>>;

interface Surfaces {
  readonly app: App;
  readonly http: SampleHttp;
  cli(...words: readonly string[]): Promise<Said>;
}

async function surfacesOf({ app }: World): Promise<Surfaces> {
  const useCases = app as unknown as Readonly<Record<string, (request: unknown) => Promise<Reply<object>>>>;
  const answer = async ({ use_case, request }: Call): Promise<Reply<object>> =>
    (await useCases[use_case]?.(request)) ?? reject("no_use_case", use_case);
  return {
    app,
    http: await sampleHttp({ app }),
    cli: async (...words) => JSON.parse((await runFake([...words, "--json"], { answer })).out) as Said,
  };
}

/** A no as every surface tells it. */
function told(reply: Reply<object>): Said {
  if (reply.kind === "done") return reply.value as Said;
  const details = reply.kind === "refusal" ? reply.details : {};
  return { ok: false, code: reply.code, message: reply.message, fix: reply.fix ?? null, ...details };
}

async function jsonOf(response: Promise<Response>): Promise<Said> {
  return (await (await response).json()) as Said;
}

/** The three answers, as the program that reads JSON sees them. */
function same(answers: readonly Said[]): Said {
  const [library, ...others] = answers.map((each) => JSON.parse(JSON.stringify(each)) as Said);
  for (const other of others) expect(other).toMatchObject(library ?? {});
  if (library?.["ok"] === true) for (const other of others) expect(other).toEqual(library);
  return library ?? {};
}

const NOBODY = { turnInstanceId: null, instance: null, capabilities: [], seen: null } as const;
const CLAIM = { ...NOBODY, todoId: null, ttlSeconds: 60, writeScopes: [], idempotencyKey: null } as const;

async function nextOn({ app, http, cli }: Surfaces, agentId: string): Promise<Said> {
  const goal = same([
    told(await app.next({ ...NOBODY, goalId: "alpha", agentId })),
    await jsonOf(http.ask(`/goals/alpha/next?agent_id=${agentId}`)),
    await cli("next", "--goal-id", "alpha", "--agent-id", agentId),
  ]);
  same([
    told(await app.next({ ...NOBODY, goalId: null, agentId })),
    await jsonOf(http.ask(`/next?agent_id=${agentId}`)),
    await cli("next", "--agent-id", agentId),
  ]);
  return goal;
}

async function rehearsedClaim({ app, http, cli }: Surfaces, agentId: string): Promise<Said> {
  return same([
    told(await app.claim({ ...CLAIM, goalId: "alpha", agentId, dryRun: true })),
    await jsonOf(http.post("/goals/alpha/claim", { agent_id: agentId, ttl_seconds: 60, dry_run: true })),
    await cli("claim", "--goal-id", "alpha", "--agent-id", agentId, "--ttl-seconds", "60", "--dry-run"),
  ]);
}

async function shouldRunOn({ app, http, cli }: Surfaces, agentId: string): Promise<Said> {
  const asked = { goalId: "alpha", agentId, turnInstanceId: null, capabilities: [], runtimeProfile: null, detail: false };
  return same([
    told(await app.shouldRun(asked)),
    await jsonOf(http.ask(`/goals/alpha/quota/should-run?agent_id=${agentId}`)),
    await cli("quota", "should-run", "--goal-id", "alpha", "--agent-id", agentId),
  ]);
}

/** One decision in each of its forms. */
async function agree(surfaces: Surfaces, agentId: string): Promise<void> {
  const next = await nextOn(surfaces, agentId);
  const claim = await rehearsedClaim(surfaces, agentId);
  const compat = await shouldRunOn(surfaces, agentId);
  if (next["ok"] !== true) return expect([claim["code"], compat["code"]]).toEqual([next["code"], next["code"]]);
  const todo = next["todo"] as { readonly todo_id: string } | null;
  expect([compat["act"], compat["why"]]).toEqual([next["act"], next["why"]]);
  const gives = next["act"] === "run" || next["act"] === "poll";
  const selected = (compat["selected_todo"] as typeof todo)?.todo_id ?? null;
  if (gives) expect(selected).toBe(todo?.todo_id ?? null);
  if (claim["ok"] !== true) return;
  expect((claim["todo"] as typeof todo)?.todo_id ?? null).toBe(gives ? (todo?.todo_id ?? null) : null);
}

async function inWorldOf(
  goal: { readonly state: string; readonly entry: object },
  work: (world: World) => Promise<void>,
): Promise<void> {
  const world = await makeWorld({ state: goal.state });
  try {
    write(world.registryPath, registryText(["alpha"], goal.entry as Readonly<Record<string, unknown>>));
    await work(world);
  } finally {
    await world.close();
  }
}

/** Whether `a1` got a todo. */
async function takenOn({ http, cli }: Surfaces): Promise<boolean> {
  const taken = await jsonOf(http.post("/goals/alpha/claim", { agent_id: "a1", turn_instance_id: "turn-1" }));
  if (taken["claimed"] !== true) return false;
  const again = await cli("claim", "--goal-id", "alpha", "--agent-id", "a1", "--turn-instance-id", "turn-1");
  expect(again).toMatchObject({ idempotent_replay: true, lease: taken["lease"] });
  return true;
}

test("the three surfaces and the reference's view give one answer, before and after a claim", { timeout: 120_000 }, async () => {
  const acts = new Set<unknown>();
  let claimed = 0;
  const rounds = fc.asyncProperty(smallGoal, async (goal) => {
    await inWorldOf(goal, async (world) => {
      const surfaces = await surfacesOf(world);
      for (const agent of ["a1", "a2"]) await agree(surfaces, agent);
      acts.add((await nextOn(surfaces, "a1"))["act"]);
      if (await takenOn(surfaces)) claimed += 1;
      world.advance(1000);
      for (const agent of ["a1", "a2"]) await agree(surfaces, agent);
    });
  });
  await fc.assert(rounds, { numRuns: RUNS });
  expect(claimed).toBeGreaterThan(2);
  expect(acts.size).toBeGreaterThan(2);
});
