import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { done } from "../../src/core/result.ts";
import { sampleApp, TOKEN } from "../../src/surfaces/http/http.sample.ts";
import { codeOf, endAll, head, send, serving, statusOf, toldBy } from "../fakes/served.ts";

afterEach(endAll);

describe("a server that others can reach", () => {
  it("U2: needs the token for everything but /healthz, and answers to the addresses of this machine and names that were allowed", async () => {
    const { server } = await serving({ host: "0.0.0.0", allowHosts: ["loopx.example.com"] });
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    for (const path of ["/", "/status", "/goals", "/events", "/openapi.json", "/nowhere"]) {
      const answer = await fetch(`${server.url}${path}`);
      expect([path, answer.status, answer.headers.get("www-authenticate")]).toEqual([path, 401, "Bearer"]);
      expect((await toldBy(answer)).code).toBe("token_required");
    }
    const health = await fetch(`${server.url}/healthz`);
    expect([health.status, Object.keys(await toldBy(health)).sort()]).toEqual([200, ["event_clients", "last_look_ms_ago", "ok"]]);
    const ask = (host: string, path = "/status") =>
      send(server.port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`);
    for (const host of [`0.0.0.0:${server.port}`, "loopx.example.com", `LOOPX.example.com:${server.port}`]) {
      expect([host, statusOf(await ask(host))]).toEqual([host, 200]);
    }
    expect(statusOf(await ask("evil.example"))).toBe(421);
    const own = await Promise.all(server.elsewhere.map(async (url) => statusOf(await ask(new URL(url).host))));
    expect(own).toEqual(server.elsewhere.map(() => 200));
  });

  it("X1: is not fooled by a path that is only resolved to /healthz or to a route", async () => {
    const { server } = await serving({ requireToken: true });
    for (const path of ["/healthz/../status", "/status/../healthz", "/%68ealthz", "/./healthz", "//healthz", "/healthz/"]) {
      const answer = await send(server.port, `${head(server.port, `GET ${path} HTTP/1.1`)}Connection: close\r\n\r\n`);
      expect([path, statusOf(answer)]).toEqual([path, 401]);
    }
  });
});

describe("writes over a socket", () => {
  const write = (port: number, target: string, more = "") =>
    `${head(port, `POST ${target} HTTP/1.1`)}Authorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nConnection: close\r\n${more}`;

  it("A2: are not done on a path that only resolves to theirs", async () => {
    const { server } = await serving();
    for (const target of ["/x/../goals/alpha/stop", "/goals/./alpha/stop", "/goals/alpha/%73top", "/goals/beta/../alpha/stop"]) {
      const answer = await send(server.port, write(server.port, target, "Content-Length: 2\r\n\r\n{}"));
      expect([target, statusOf(answer)]).toEqual([target, 404]);
      expect(codeOf(answer)).toBe("route_not_found");
    }
    const done = await send(server.port, write(server.port, "/goals/%61lpha/stop", "Content-Length: 2\r\n\r\n{}"));
    expect(statusOf(done)).toBe(200);
  });

  it.each<[string, (port: number) => string, number, string]>([
    ["1 MB of headers", (port) => write(port, "/goals", `X: ${"x".repeat(1024 * 1024)}\r\n\r\n`), 431, "headers_too_large"],
    ["a large body that is announced", (port) => write(port, "/goals", "Content-Length: 100000\r\n\r\n"), 413, "body_too_large"],
    [
      "a large body in chunks",
      (port) => write(port, "/goals", `Transfer-Encoding: chunked\r\n\r\n11170\r\n${"x".repeat(70_000)}\r\n`),
      413,
      "body_too_large",
    ],
    [
      "no token, before the body has come",
      (port) => `${head(port, "POST /goals HTTP/1.1")}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n`,
      401,
      "token_required",
    ],
    [
      "another length than was announced",
      (port) => write(port, "/goals", "Content-Length: -1\r\n\r\n{}"),
      400,
      "malformed_request",
    ],
  ])("answer %s with JSON, and end the connection", async (_, bytes, status, code) => {
    const { server } = await serving();
    const answer = await send(server.port, bytes(server.port));
    expect([statusOf(answer), codeOf(answer)]).toEqual([status, code]);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  });

  it("are cut when the body comes too slowly, and nothing is done", async () => {
    const { app, asked } = sampleApp(async () => done({ ok: true }));
    const { server } = await serving({ app, limits: { headersTimeoutMs: 200, requestTimeoutMs: 400 } });
    const slow = send(server.port, write(server.port, "/goals/alpha/stop", "Content-Length: 20\r\n\r\n{"));
    expect(statusOf(await slow)).toBe(408);
    const cut = connect(server.port, "127.0.0.1");
    cut.write(write(server.port, "/goals/alpha/stop", "Content-Length: 20\r\n\r\n{"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    cut.destroy();
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(asked.map(({ use_case }) => use_case)).not.toContain("goalStop");
  });
});
