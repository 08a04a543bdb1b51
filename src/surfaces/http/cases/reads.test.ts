// From the parameters of a read to what the use case is asked.
import { describe, expect, it } from "vitest";
import { done } from "../../../core/result.ts";
import { noOf, type SampleHttp, sampleHttp, WITH_TOKEN } from "../http.sample.ts";

async function listening(): Promise<SampleHttp> {
  const http = await sampleHttp();
  http.sample.instead = () => done({ ok: true });
  return http;
}

describe("a read", () => {
  it.each<[string, string, object]>([
    ["/next?agent_id=a1", "next", { goalId: null, agentId: "a1", turnInstanceId: null, capabilities: [], seen: null }],
    [
      "/goals/alpha/next?agent_id=a1&available_capability=gpu,browser&instance=i1&seen=t0",
      "next",
      { goalId: "alpha", capabilities: ["gpu", "browser"], instance: "i1", seen: "t0", turnInstanceId: null },
    ],
    ["/goals/alpha/why?agent_id=a1", "why", { goalId: "alpha", agentId: "a1" }],
    ["/goals/alpha/todos/todo_abc/why-not", "whyNot", { goalId: "alpha", todoId: "todo_abc", agentId: null }],
    [
      "/goals/alpha/todos?status=open&role=agent",
      "todoList",
      { goalId: "alpha", todoId: null, status: "open", role: "agent", limit: null },
    ],
    ["/goals/alpha/todos/todo_abc?agent_id=a1", "todoShow", { goalId: "alpha", todoId: "todo_abc", agentId: "a1" }],
    ["/history?limit=2", "history", { goalId: null, limit: 2, cursor: null }],
    ["/quota?limit=2", "quotaStatus", { goalId: null, limit: 2 }],
    ["/goals/alpha/quota", "quotaStatus", { goalId: "alpha" }],
    ["/goals/alpha/quota/should-run?agent_id=a1", "shouldRun", { goalId: "alpha", agentId: "a1", turnInstanceId: null }],
    ["/goals/alpha/evidence?todo_id=todo_abc", "evidenceList", { goalId: "alpha", todoId: "todo_abc", limit: null }],
    ["/quota/plan", "quotaPlan", {}],
    [
      "/goals/alpha/diagnose?agent_id=a1&available_capability=gpu",
      "diagnose",
      { goalId: "alpha", agentId: "a1", capabilities: ["gpu"] },
    ],
    ["/goals/alpha/evidence/5", "evidenceShow", { goalId: "alpha", seq: 5, withOutput: false }],
    ["/goals/alpha/evidence/5?with_output", "evidenceShow", { goalId: "alpha", seq: 5, withOutput: true }],
    [
      "/goals/alpha/evidence-log?agent_id=a1&todo_id=todo_abc&since=2027-01-10&limit=2&thin",
      "evidenceLog",
      { goalId: "alpha", agentId: "a1", todoId: "todo_abc", since: "2027-01-10", limit: 2, thin: true },
    ],
    ["/goals/alpha/gates/todo_abc", "gateList", { goalId: "alpha", todoId: "todo_abc", limit: 1, cursor: null }],
    ["/archives?goal_id=alpha&limit=2", "archives", { goalId: "alpha", archiveRoot: null, limit: 2, cursor: null }],
    ["/agents?session=night", "agentsStatus", { session: "night" }],
    ["/agents/logs?agent_id=a1", "agentsLogs", { session: null, agentId: "a1", after: null }],
    ["/registry", "registry", {}],
    ["/gates", "gateList", { goalId: null, todoId: null }],
    ["/goals/alpha/gates?limit=2", "gateList", { goalId: "alpha", todoId: null, limit: 2 }],
    ["/goals/alpha/leases?limit=3", "leaseList", { goalId: "alpha", agentId: null, limit: 3, cursor: null }],
    ["/cache?kind=packages&capability=test", "cacheStats", { kind: "packages", capability: "test" }],
    ["/cache", "cacheStats", { kind: null, capability: null }],
    ["/goals/alpha/todos/todo_abc/lease", "leaseShow", { goalId: "alpha", todoId: "todo_abc" }],
  ])("of %s asks for what its parameters say", async (path, useCase, request) => {
    const { ask, sample } = await listening();
    expect((await ask(path, { headers: WITH_TOKEN })).status).toBe(200);
    expect(sample.asked).toMatchObject([{ use_case: useCase, ...(!["quotaPlan", "registry"].includes(useCase) && { request }) }]);
  });

  it("that the clock moves is asked for each time, and is unchanged while it is", async () => {
    const { ask, sample } = await listening();
    const first = await ask("/goals/alpha/next?agent_id=a1");
    const again = await ask("/goals/alpha/next?agent_id=a1", { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
    expect([again.status, sample.asked.length]).toEqual([304, 2]);
  });

  it("X1: of what only its owner can read on the disk needs the token", async () => {
    const { ask, sample } = await listening();
    for (const path of ["/goals/alpha/evidence/5", "/agents", "/agents/logs"]) {
      const none = await ask(path);
      expect([path, none.status, (await noOf(none)).code]).toEqual([path, 401, "token_required"]);
      const wrong = await ask(path, { headers: { authorization: "Bearer x" } });
      expect([path, wrong.status, (await noOf(wrong)).code]).toEqual([path, 401, "token_wrong"]);
    }
    expect(sample.asked).toEqual([]);
  });

  it.each(["0", "-1", "1.5", "x", "1e3", "%31%00"])("of the event %s is no read of an event", async (seq) => {
    const { ask } = await listening();
    const no = await ask(`/goals/alpha/evidence/${seq}`, { headers: WITH_TOKEN });
    expect([no.status, (await noOf(no)).code]).toEqual([400, "invalid_seq"]);
  });
});
