import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noOf, sampleHttp } from "./http.sample.ts";

const TARGETS = [
  "/",
  "/status",
  "/status.json",
  "/goals",
  "/goals/alpha",
  "/goals/alpha/history",
  "/drift",
  "/events",
  "/healthz",
];

describe("the guards", () => {
  it.each([
    "evil.example",
    "evil.example:8765",
    "127.0.0.1",
    "127.0.0.1:80",
    "localhost.:8765",
    "127.0.0.2:8765",
    "127.0.0.1:8765.evil",
    "",
  ])("G1: Host %s is refused", async (host) => {
    const http = await sampleHttp();
    const response = await http.ask("/status", { headers: { host } });
    expect(response.status).toBe(421);
    expect((await noOf(response)).code).toBe("host_refused");
  });

  it.each(["127.0.0.1:8765", "localhost:8765", "LOCALHOST:8765", "[::1]:8765"])("G1: Host %s is answered", async (host) => {
    const { ask } = await sampleHttp();
    expect((await ask("/status", { headers: { host } })).status).toBe(200);
  });

  it.each([
    "null",
    "https://evil.example",
    "http://127.0.0.1.evil.example",
    "http://localhost@evil.example",
    "http://localhost:8765/x",
    "file://",
    "http://127.0.0.2:1",
  ])("G2: Origin %s is refused", async (origin) => {
    const { ask } = await sampleHttp();
    for (const method of ["GET", "OPTIONS", "POST"]) {
      const response = await ask("/status", { method, headers: { origin } });
      expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([403, null]);
      expect((await noOf(response)).code).toBe("origin_refused");
    }
  });

  it.each(["http://localhost:5173", "http://127.0.0.1", "https://[::1]:4"])("G2: Origin %s is echoed, alone", async (origin) => {
    const { ask } = await sampleHttp();
    const response = await ask("/status", { headers: { origin } });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
    expect(response.headers.get("vary")).toContain("Origin");
    const preflight = await ask("/status", { method: "OPTIONS", headers: { origin } });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-methods")).toBe("GET, HEAD, OPTIONS");
    expect(preflight.headers.get("access-control-allow-origin")).toBe(origin);
  });

  it.each(["http://127.0.0.1:8765", "http://localhost:8765", "http://[::1]:8765"])(
    "G2: a page of %s may write",
    async (origin) => {
      const { ask, post } = await sampleHttp();
      const response = await post("/goals/alpha/stop", {}, { origin });
      expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, origin]);
      const preflight = await ask("/goals/alpha/stop", { method: "OPTIONS", headers: { origin } });
      expect(preflight.headers.get("access-control-allow-methods")).toBe("POST, OPTIONS");
      expect(preflight.headers.get("access-control-allow-headers")).toMatch(/Authorization.*Content-Type, Idempotency-Key/);
    },
  );

  it.each([
    "http://localhost:5173",
    "http://127.0.0.1",
    "https://127.0.0.1:8765",
    "http://127.0.0.1:8765/",
    "http://evil.example:8765",
    "null",
    "",
  ])("G2: a page of %s may not write, and a preflight does not say that it may", async (origin) => {
    const http = await sampleHttp();
    const response = await http.post("/goals/alpha/stop", {}, { origin });
    expect([response.status, (await noOf(response)).code]).toEqual([403, "origin_refused"]);
    const preflight = await http.ask("/goals/alpha/stop", { method: "OPTIONS", headers: { origin } });
    expect(preflight.headers.get("access-control-allow-methods") ?? "").not.toContain("POST");
    expect(http.sample.asked).toEqual([]);
  });

  it("G2: pages of a name that was allowed may write, also by https; a page of another name may not even read", async () => {
    const { ask, post } = await sampleHttp({ allowHosts: ["loopx.example.com"] });
    const host = "loopx.example.com";
    for (const origin of ["https://loopx.example.com", "http://loopx.example.com:8765"]) {
      expect((await post("/goals/alpha/stop", {}, { host, origin })).status).toBe(200);
    }
    for (const origin of ["https://evil.example.com", "https://loopx.example.com.evil.example"]) {
      const refused = await ask("/status", { headers: { host, origin } });
      expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([403, null]);
    }
  });

  it("G3: long targets and bodies are refused", async () => {
    const { ask } = await sampleHttp();
    const long = await ask(`/status?cursor=${"x".repeat(5000)}`);
    expect([long.status, (await noOf(long)).code]).toEqual([414, "url_too_long"]);
    const body = await ask("/status", { headers: { "content-length": "3" } });
    expect([body.status, (await noOf(body)).code]).toEqual([400, "body_not_expected"]);
    const large = await ask("/status", { method: "POST", headers: { "content-length": "9999999" } });
    expect([large.status, (await noOf(large)).code]).toEqual([413, "body_too_large"]);
  });
});

describe("whatever is sent", () => {
  const path = fc.oneof(
    fc.constantFrom(...TARGETS),
    fc.string({ unit: "grapheme" }).map((text) => `/${encodeURI(text)}`),
    fc.string().map((text) => `/goals/${encodeURIComponent(text)}`),
    fc.string().map((text) => `/goals/${encodeURIComponent(text)}/history`),
    fc.stringMatching(/^\/[!-~]{0,40}$/),
  );
  const query = fc.option(
    fc.array(
      fc.tuple(
        fc.oneof(
          fc.constantFrom("limit", "cursor", "all", "fields", "goal_id", "after", "__proto__", "constructor"),
          fc.string(),
        ),
        fc.oneof(fc.constantFrom("1", "", "true"), fc.string()),
      ),
      { maxLength: 4 },
    ),
    { nil: undefined },
  );

  it("A1: is answered without a 5xx, and every no is JSON with a code", async () => {
    const { ask } = await sampleHttp({ limits: { eventClients: 100_000 } });
    await fc.assert(
      fc.asyncProperty(
        path,
        query,
        fc.constantFrom("GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "X-ODD"),
        async (sent, pairs, method) => {
          const search =
            pairs === undefined
              ? ""
              : `?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&")}`;
          const response = await ask(`${sent}${sent.includes("?") ? "" : search}`, { method });
          expect(response.status).toBeLessThan(500);
          if (response.status >= 400 && method !== "HEAD") await noOf(response);
          else await response.body?.cancel();
        },
      ),
      { numRuns: 600 },
    );
  });
});
