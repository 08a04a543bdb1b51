// A team, over HTTP: told of with the token alone, and ordered as the commands order it.
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FakeTeam, fakeTeam } from "../../../../test/fakes/team.ts";
import { makeWorld, type World } from "../../../../test/fakes/workspace.ts";
import { noOf, type SampleHttp, sampleHttp, WITH_TOKEN } from "../http.sample.ts";

let world: World;
let http: SampleHttp;
let orders: FakeTeam["orders"];

beforeEach(async () => {
  const team = fakeTeam("/runtime");
  ({ orders } = team);
  world = await makeWorld({ team: () => team.world });
  http = await sampleHttp({ app: world.app });
});

afterEach(() => world.close());

it("is shown with its agents, and with what they print", async () => {
  const shown = await http.ask("/agents", { headers: WITH_TOKEN });
  expect([shown.status, await shown.json()]).toMatchObject([
    200,
    { ok: true, standing: "running", session: { session: "team" }, agents: [{ agent_id: "builder" }, { agent_id: "helper" }] },
  ]);
  const logs = await http.ask("/agents/logs?agent_id=builder", { headers: WITH_TOKEN });
  expect([logs.status, await logs.json()]).toMatchObject([200, { logs: [{ agent_id: "builder", lines: ["builder log line"] }] }]);
  const none = await http.ask("/agents/logs?agent_id=helper", { headers: WITH_TOKEN });
  expect([none.status, await none.json()]).toMatchObject([200, { logs: [] }]);
});

it("is told to go on and to end, once its supervisor takes the order", async () => {
  const woken = await http.post("/agents/wake", { agent_id: "helper" });
  expect([woken.status, await woken.json()]).toMatchObject([200, { ok: true, session: "team", agent_id: "helper" }]);
  const stopped = await http.post("/agents/stop", { session: "team" });
  expect([stopped.status, await stopped.json()]).toMatchObject([200, { ok: true, how: "told", swept: 0, now: false }]);
  await http.post("/agents/stop", { now: true });
  expect(orders).toEqual([{ do: "wake", agent_id: "helper" }, { do: "drain" }, { do: "stop" }]);
});

it.each([
  ["/agents?session=night", 404, "unknown_session"],
  ["/agents?session=..", 400, "session_invalid"],
  ["/agents/logs?agent_id=nobody", 404, "unknown_agent"],
  ["/agents?now", 400, "unknown_parameter"],
])("of %s tells nothing: %i %s", async (target, status, code) => {
  const no = await http.ask(target, { headers: WITH_TOKEN });
  expect([no.status, (await noOf(no)).code]).toEqual([status, code]);
});

it.each<[string, object, number, string]>([
  ["/agents/stop", { session: "night" }, 404, "unknown_session"],
  ["/agents/wake", { agent_id: "nobody" }, 404, "unknown_agent"],
  ["/agents/wake", { agents: "helper" }, 400, "unknown_field"],
])("takes no order of %s with %o: %i %s", async (path, body, status, code) => {
  const no = await http.post(path, body);
  expect([no.status, (await noOf(no)).code, orders]).toEqual([status, code, []]);
});
