// Every route of the table, with requests made from its own schemas: right ones, nearly right ones and nonsense. What is answered is what
// is declared; nothing is a bug. `FUZZ_RUNS` says how many requests a route gets.
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RouteSpec } from "../../src/schema/http/routes.ts";
import { noOf, type SampleHttp, sampleHttp, WITH_TOKEN } from "../../src/surfaces/http/http.sample.ts";
import { isWrite } from "../../src/surfaces/http/use-case.ts";
import { EVERY_ROUTE } from "../../src/surfaces/http/use-cases.ts";
import { type KnownIds, pathOf, queryOf, rightBody, wrongBody } from "../arbitrary/http-request.ts";
import { fakeTeam } from "../fakes/team.ts";
import { makeWorld, STATE, type World } from "../fakes/workspace.ts";

const RUNS = Number(process.env["FUZZ_RUNS"] ?? 60);
const GOALS = ["alpha", "beta", "büro"];
const QUESTION = [
  "- [ ] Ship it?",
  "  <!-- loopx:todo todo_id=todo_gate status=open task_class=user_gate unblocks_todo_id=todo_later -->",
].join("\n");

function knownOn({ path }: Pick<RouteSpec, "path">): KnownIds {
  return { goal_id: GOALS, todo_id: [path.includes("/gates/") ? "todo_gate" : "todo_ground"], seq: [String(evidenceSeq)] };
}

let world: World;
let http: SampleHttp;

function pathIn(route: Pick<RouteSpec, "path">): string {
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => knownOn(route)[name]?.[0] ?? "");
}

/** Of the turn that was spent in the first goal. */
let spentSeq = 0;
let evidenceSeq = 1;

/** In each goal, `builder` has a todo in hand, has spent one turn and has written another. */
async function begin(): Promise<void> {
  const state = STATE.replace("- [ ] Review the plan", QUESTION);
  world = await makeWorld({ goals: GOALS, state, team: (root) => fakeTeam(root).world });
  http = await sampleHttp({ app: world.app, limits: { eventClients: 100_000 } });
  for (const goal of [...GOALS].reverse()) {
    const write = async (verb: string, body: object): Promise<Record<string, unknown>> => {
      const response = await http.post(`/goals/${encodeURIComponent(goal)}/${verb}`, { agent_id: "builder", ...body });
      expect([verb, response.status]).toEqual([verb, 200]);
      return (await response.json()) as Record<string, unknown>;
    };
    const progress = { todo_id: "todo_ground", classification: "progress", delivery_outcome: "outcome_progress" };
    await write("claim", { todo_id: "todo_ground" });
    await write("refresh", { ...progress, turn_instance_id: "turn-0" });
    spentSeq = Number((await write("quota/spend-slot", { turn_instance_id: "turn-0" }))["spent_seq"]);
    await write("refresh", { ...progress, turn_instance_id: "turn-1" });
    evidenceSeq = Number(((await write("evidence", { label: "Tests", output: "ok" }))["evidence"] as { seq: unknown }).seq);
  }
}

/** A right request that is answered, where one by chance seldom is. */
const ANSWERED: Readonly<Record<string, () => object | Promise<object>>> = {
  "/goals/{goal_id}/archive": () => ({ allow_registered: true }),
  "/goals/{goal_id}/restore": async () => {
    expect((await http.post("/goals/alpha/archive", { allow_registered: true })).status).toBe(200);
    return {};
  },
  "/goals/{goal_id}/quota/spend-slot": () => ({ agent_id: "builder", turn_instance_id: "turn-1" }),
  "/goals/{goal_id}/quota/void-slot": () => ({ void_seq: spentSeq, reason_summary: "Not work" }),
  "/goals/{goal_id}/quota/hold": () => ({ agent_id: "builder", minutes: 5 }),
  "/goals/{goal_id}/done": () => ({ agent_id: "builder", next: "More" }),
  "/goals/{goal_id}/todos/{todo_id}/supersede": () => ({ agent_id: "builder", lease_epoch: 1, next: "More" }),
  "/goals/{goal_id}/todos/{todo_id}/lease/transfer": () => ({ agent_id: "builder", lease_epoch: 1, to: "helper" }),
  "/goals/{goal_id}/todos/{todo_id}/lease/release": () => ({ agent_id: "builder", lease_epoch: 1, dry_run: true }),
  "/goals/{goal_id}/todos/{todo_id}/complete": () => ({ agent_id: "builder", lease_epoch: 1, next: "More" }),
};

/** A request made in process has its dot segments resolved: it may be another route's. */
function isItself(sent: string): boolean {
  return new URL(sent, "http://127.0.0.1").pathname === sent.split("?", 1)[0];
}

async function end(): Promise<void> {
  await world.close();
}

/** Whatever is asked: no bug, and a no that is one. */
async function expectDeclared(response: Response, sent: string, route: RouteSpec): Promise<void> {
  expect(response.status).toBeLessThan(500);
  if (response.status >= 400) await noOf(response);
  else if (!isItself(sent)) await response.body?.cancel();
  else if (route.media === "text/event-stream") await response.body?.cancel();
  else expect(route.answer.safeParse(await response.json()).error).toBeUndefined();
}

const headers = fc.record(
  {
    "idempotency-key": fc.oneof(fc.stringMatching(/^[A-Za-z0-9_.:@/-]{1,160}$/), fc.stringMatching(/^[ -~]{0,20}$/)),
    "content-type": fc.constantFrom("application/json", "application/json; charset=utf-8", "text/plain"),
    authorization: fc.constantFrom(WITH_TOKEN["authorization"] ?? "", "Bearer x", "Basic x"),
    origin: fc.constantFrom("http://127.0.0.1:8765", "http://localhost:1", "https://evil.example"),
    "accept-encoding": fc.constantFrom("gzip", "br", "identity;q=0"),
  },
  { requiredKeys: [] },
);

describe.each(EVERY_ROUTE.filter((route) => !isWrite(route)))("GET $path", (route) => {
  beforeAll(begin);
  afterAll(end);
  const path = fc.constant(null).chain(() => pathOf(route.path, knownOn(route)));
  const target = fc.tuple(path, queryOf(route.parameters)).map(([sent, query]) => `${sent}${query}`);
  const token = route.private === true ? { headers: WITH_TOKEN } : {};

  it("answers what it declares, or why not", async () => {
    await fc.assert(
      fc.asyncProperty(target, async (sent) => await expectDeclared(await http.ask(sent, token), sent, route)),
      { numRuns: RUNS },
    );
  });

  it("answers HEAD as GET, without a body", async () => {
    await fc.assert(
      fc.asyncProperty(target, headers, async (sent, more) => {
        const [get, head] = [await http.ask(sent, { headers: more }), await http.ask(sent, { method: "HEAD", headers: more })];
        expect([head.status, await head.text()]).toEqual([get.status, ""]);
        const stable = (response: Response) => [...response.headers].filter(([name]) => name !== "content-length");
        expect(stable(head)).toEqual(stable(get));
        await get.body?.cancel();
      }),
      { numRuns: RUNS },
    );
  });
});

describe.each(EVERY_ROUTE.filter(isWrite))("POST $path", (route) => {
  beforeAll(begin);
  afterAll(end);
  const path = pathOf(route.path, knownOn(route));

  it("answers a right request as it declares, or why not", async () => {
    let answered = 0;
    const sure = ANSWERED[route.path];
    if (sure !== undefined) {
      const sent = pathIn(route);
      const response = await http.post(sent, await sure());
      if (response.status === 200) answered += 1;
      await expectDeclared(response, sent, route);
    }
    await fc.assert(
      fc.asyncProperty(path, rightBody(route.body), async (sent, body) => {
        const response = await http.post(sent, body);
        if (response.status === 200) answered += 1;
        await expectDeclared(response, sent, route);
      }),
      { numRuns: RUNS },
    );
    expect(answered).toBeGreaterThan(0);
  });

  it("refuses a wrong body with 400, and writes nothing", async () => {
    await fc.assert(
      fc.asyncProperty(wrongBody(route.body), async (body) => {
        const sent = pathIn(route);
        const before = await world.store.lastPosition();
        const response = await http.post(sent, body);
        expect([400, 413]).toContain(response.status);
        await noOf(response);
        expect(await world.store.lastPosition()).toBe(before);
      }),
      { numRuns: RUNS },
    );
  });

  it("is never a bug, whatever the headers and the body are", async () => {
    const body = fc.oneof(rightBody(route.body), wrongBody(route.body), fc.json(), fc.string({ unit: "binary" }));
    await fc.assert(
      fc.asyncProperty(path, body, headers, async (sent, given, more) => {
        const response = await http.ask(sent, { method: "POST", headers: more, body: given });
        await expectDeclared(response, sent, route);
      }),
      { numRuns: RUNS },
    );
  });

  it("answers other methods with 405 and what is offered", async () => {
    await fc.assert(
      fc.asyncProperty(path, fc.constantFrom("PUT", "PATCH", "DELETE", "X-ODD"), async (sent, method) => {
        const response = await http.ask(sent, { method, headers: WITH_TOKEN });
        expect([404, 405]).toContain(response.status);
        await noOf(response);
        if (response.status === 405 && isItself(sent)) expect(response.headers.get("allow")).toContain("POST");
      }),
      { numRuns: 20 },
    );
  });
});
