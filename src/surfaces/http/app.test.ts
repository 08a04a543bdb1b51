import { describe, expect, it } from "vitest";
import { refuse } from "../../core/result.ts";
import { Fault } from "../../errors.ts";
import { noOf, routeOf, type SampleHttp, sampleHttp } from "./http.sample.ts";

const READS = [
  "/",
  "/status",
  "/status.json",
  "/status?limit=5&fields=goal_id,drift&goal_id=alpha&all",
  "/goals?limit=2&cursor=x",
  "/goals/alpha",
  "/goals/%C3%A9t%C3%A9",
  "/goals/alpha/history?limit=10",
  "/drift?goal_id=alpha",
  "/healthz",
  "/openapi.json",
];

function lastRequest({ sample }: SampleHttp): unknown {
  return sample.asked.at(-1)?.request;
}

describe("the routes", () => {
  it.each(READS)("%s answers what its schema says", async (target) => {
    const { ask } = await sampleHttp();
    const response = await ask(target);
    expect(response.status).toBe(200);
    expect(routeOf(target).answer.safeParse(await response.json()).error).toBeUndefined();
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  it.each(READS)("HEAD %s has the head of GET and no body", async (target) => {
    const { ask } = await sampleHttp();
    const [get, head] = [await ask(target), await ask(target, { method: "HEAD" })];
    expect(head.status).toBe(200);
    expect(await head.text()).toBe("");
    expect([...head.headers]).toEqual([...get.headers]);
  });

  it("asks the use cases what the parameters say", async () => {
    const http = await sampleHttp();
    await http.ask("/status?limit=5&cursor=goals.1.a&fields=goal_id,%20drift&all=true&goal_id=alpha&agent_id=codex");
    expect(lastRequest(http)).toMatchObject({
      limit: 5,
      cursor: "goals.1.a",
      fields: ["goal_id", "drift"],
      all: true,
      goalId: "alpha",
      agentId: "codex",
    });
    await http.ask("/goals/b%C3%BCro/history?limit=3");
    expect(lastRequest(http)).toMatchObject({ goalId: "büro", limit: 3, cursor: null });
    await http.ask("/drift");
    expect(lastRequest(http)).toEqual({ goalId: null, limit: null, cursor: null, fix: false, dryRun: false });
  });

  it("passes on what a use case says no to", async () => {
    const http = await sampleHttp();
    const unknown = await http.ask("/goals/alpa");
    expect(unknown.status).toBe(404);
    expect(await noOf(unknown)).toMatchObject({ code: "unknown_goal", near: ["alpha"] });
    http.sample.instead = () => refuse("goal_belongs_to", "another registry has it", { details: { owner: "x", ok: true } });
    const refused = await http.ask("/goals/beta");
    expect(refused.status).toBe(409);
    expect(await noOf(refused)).toMatchObject({ ok: false, code: "goal_belongs_to", owner: "x" });
  });

  it("H1: answers faults with 503 and bugs with 500, without a stack trace", async () => {
    const http = await sampleHttp();
    http.sample.instead = () => {
      throw new Fault({ code: "disk_full", message: "no space is left", hint: "make room" });
    };
    const fault = await http.ask("/drift");
    expect([fault.status, fault.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await noOf(fault)).toMatchObject({ code: "disk_full", fix: "make room", retry: true });
    http.sample.instead = () => {
      throw new TypeError("secret of the house");
    };
    const bug = await http.ask("/drift");
    expect(bug.status).toBe(500);
    const text = await bug.text();
    expect(JSON.parse(text)).toMatchObject({ code: "bug" });
    expect(text).not.toMatch(/secret|at .*\.ts/);
    expect(JSON.stringify(http.logged)).toContain("secret of the house");
  });

  it("serves the status under one more path", async () => {
    const { ask } = await sampleHttp({ alias: "/live" });
    const [alias, status] = [await ask("/live"), await ask("/status")];
    expect(alias.status).toBe(200);
    expect(await alias.text()).toBe(await status.text());
    expect(await (await ask("/")).json()).toMatchObject({ status_url: "/live" });
  });

  it("names what was meant on an unknown path, and what is allowed on a known one", async () => {
    const { ask } = await sampleHttp();
    const missing = await ask("/statsu");
    expect(missing.status).toBe(404);
    expect(await noOf(missing)).toMatchObject({ code: "route_not_found", near: ["/status"] });
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
      const refused = await ask("/goals/alpha", { method });
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
      expect((await noOf(refused)).code).toBe("method_not_allowed");
    }
    expect((await ask("/status/")).status).toBe(404);
  });

  it.each([
    ["/status?limt=5", "unknown_parameter", ["limit"]],
    ["/status?goal-id=alpha", "unknown_parameter", ["goal_id"]],
    ["/healthz?x=1", "unknown_parameter", undefined],
    ["/status?limit=0", "invalid_parameter", undefined],
    ["/status?limit=1e3", "invalid_parameter", undefined],
    ["/status?limit=1001", "invalid_parameter", undefined],
    ["/status?all=perhaps", "invalid_parameter", undefined],
    ["/status?fields=", "invalid_parameter", undefined],
    ["/status?limit=1&limit=2", "repeated_parameter", undefined],
    ["/events?after=-1", "invalid_parameter", undefined],
    ["/events?after=99999999999999999999", "invalid_parameter", undefined],
    ["/events?after=9999999999999999999", "invalid_parameter", undefined],
    [`/status?${"limit&".repeat(30)}`, "too_many_parameters", undefined],
  ])("refuses %s", async (target, code, near) => {
    const http = await sampleHttp();
    const response = await http.ask(target);
    expect(response.status).toBe(400);
    expect(await noOf(response)).toMatchObject({ code, ...(near !== undefined && { near }) });
    expect(http.sample.asked).toEqual([]);
  });

  it.each([
    "%2e%2e%2fetc",
    "..%2f..",
    "%252e%252e",
    "a%00b",
    "a%5Cb",
    "%ff%fe",
    "%zz",
    "%20",
    "con",
    "x.",
    "a".repeat(300),
    "%E2%80%AEx",
  ])("A2: the goal id %s reaches no use case", async (segment) => {
    const http = await sampleHttp();
    for (const target of [`/goals/${segment}`, `/goals/${segment}/history`]) {
      const response = await http.ask(target);
      expect([400, 404]).toContain(response.status);
      await noOf(response);
    }
    const asked = http.sample.asked.map(({ request }) => (request as { readonly goalId: string }).goalId);
    expect(asked.filter((goalId) => goalId !== "%2e%2e")).toEqual([]);
  });
});

describe("healthz", () => {
  it("is green with who it is, red when the store does not answer, and red when it hangs", async () => {
    const http = await sampleHttp();
    const green = await http.ask("/healthz");
    expect([green.status, await green.json()]).toEqual([200, expect.objectContaining({ ok: true, version: "1.2.3", pid: 42 })]);
    http.world.trouble = new Fault({ code: "store_busy", message: "the store is busy" });
    const red = await http.ask("/healthz");
    expect([red.status, await noOf(red)]).toEqual([503, expect.objectContaining({ code: "store_busy" })]);
  });

  it("is red when the store hangs", async () => {
    const http = await sampleHttp();
    Object.assign(http.world.sources.store, { changeCounter: () => new Promise(() => undefined) });
    const hanging = http.ask("/healthz");
    await http.scheduler.advance(1000);
    expect(await noOf(await hanging)).toMatchObject({ code: "store_wedged" });
  });
});
