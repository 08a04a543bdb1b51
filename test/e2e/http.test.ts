import { request } from "node:http";
import { connect, createServer, type Server } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { sampleWorld } from "../../src/commands/live.sample.ts";
import { Fault } from "../../src/errors.ts";
import { frames } from "../../src/surfaces/http/http.sample.ts";
import { nodeScheduler } from "../../src/surfaces/http/node-scheduler.ts";
import { type RunningServer, startServer } from "../../src/surfaces/http/start.ts";
import { atEnd, codeOf, endAll, head, optionsOf, send, serving, statusOf, toldBy } from "../fakes/served.ts";

afterEach(endAll);

/** Opens `/events`; comments are passed over. */
async function listen(server: RunningServer, headers: Readonly<Record<string, string>> = {}) {
  const stream = frames(await fetch(`${server.url}/events`, { headers }));
  const next = async (): Promise<string> => {
    const frame = await stream.next();
    return frame.startsWith(":") ? next() : frame;
  };
  const nextId = async (): Promise<string | undefined> => {
    const frame = await next();
    const id = /^id: (.*)$/m.exec(frame)?.[1];
    return id !== undefined || frame === "(end)" ? id : nextId();
  };
  return { next, nextId, leave: stream.cancel };
}

async function clientsOf(server: RunningServer): Promise<number> {
  return (await toldBy(await fetch(`${server.url}/healthz`))).event_clients;
}

describe("a served root", () => {
  it("answers on the port and the path it names", async () => {
    const { server } = await serving({ path: "/live" });
    expect(server.status_url).toBe(`http://127.0.0.1:${server.port}/live`);
    const origin = "http://localhost:5173";
    const answer = await fetch(`${server.url}/status`, { headers: { origin } });
    expect(await answer.json()).toMatchObject({ ok: true, goal_count: 2 });
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
    const again = await fetch(server.status_url, { headers: { "if-none-match": answer.headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
    expect(await (await fetch(`${server.url}/healthz`)).json()).toMatchObject({ ok: true, version: "1.2.3", pid: process.pid });
    const bare = await fetch(`${server.url}/status`, { method: "HEAD" });
    expect([bare.headers.get("content-length"), await bare.text()]).toEqual([expect.stringMatching(/^\d+$/), ""]);
  });

  it("shows a commit in the next answer, and a failing store as 503", async () => {
    const { server, world } = await serving();
    await fetch(`${server.url}/status`);
    world.title = "second";
    world.commit("alpha");
    expect(await (await fetch(`${server.url}/status`)).text()).toContain("second");
    world.trouble = new Fault({ code: "store_busy", message: "the store is busy" });
    for (const path of ["/status", "/goals", "/healthz"]) {
      const red = await fetch(`${server.url}${path}`);
      expect([red.status, (await toldBy(red)).code]).toEqual([503, "store_busy"]);
    }
  });

  it.each<[string, (port: number) => string, number, string]>([
    ["a foreign host", () => "GET /status HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421, "host_refused"],
    ["no host", () => "GET /status HTTP/1.1\r\n\r\n", 400, "malformed_request"],
    ["a host that is none", () => "GET /status HTTP/1.1\r\nHost: a b/c\r\n\r\n", 400, "malformed_request"],
    ["a foreign absolute target", (port) => `${head(port, "GET http://evil.example/status HTTP/1.1")}\r\n`, 421, "host_refused"],
    ["a foreign origin", (port) => `${head(port)}Origin: null\r\nConnection: close\r\n\r\n`, 403, "origin_refused"],
    ["a body", (port) => `${head(port)}Content-Length: 3\r\nConnection: close\r\n\r\nabc`, 400, "body_not_expected"],
    ["a large body", (port) => `${head(port, "POST /status HTTP/1.1")}Content-Length: 99999999\r\n\r\n`, 413, "body_too_large"],
    [
      "a write",
      (port) => `${head(port, "POST /status HTTP/1.1")}Content-Length: 2\r\nConnection: close\r\n\r\n{}`,
      405,
      "method_not_allowed",
    ],
    ["large headers", (port) => `${head(port)}X: ${"x".repeat(20_000)}\r\n\r\n`, 431, "headers_too_large"],
    ["a long target", (port) => `${head(port, `GET /${"x".repeat(5000)} HTTP/1.1`)}\r\n`, 414, "url_too_long"],
    ["no HTTP", () => "hello\r\n\r\n", 400, "malformed_request"],
    ["a backslash", (port) => `${head(port, "GET /a\\b HTTP/1.1")}Connection: close\r\n\r\n`, 400, "malformed_request"],
    ["dots", (port) => `${head(port, "GET /goals/%2e%2e%2fx HTTP/1.1")}Connection: close\r\n\r\n`, 400, "invalid_goal_id"],
    [
      "dots that look like folders",
      (port) => `${head(port, "GET /goals/../../etc/passwd HTTP/1.1")}Connection: close\r\n\r\n`,
      404,
      "route_not_found",
    ],
  ])("answers %s with JSON", async (_, bytes, status, code) => {
    const { server } = await serving();
    const answer = await send(server.port, bytes(server.port));
    expect([statusOf(answer), codeOf(answer)]).toEqual([status, code]);
    expect(answer).not.toMatch(/\bat .*\.[jt]s/);
  });

  it("cuts headers and bodies that come too slowly, and keeps answering others", async () => {
    const { server } = await serving({ limits: { headersTimeoutMs: 200, requestTimeoutMs: 400 } });
    const slowHead = send(server.port, head(server.port));
    const slowBody = send(server.port, `${head(server.port, "POST /status HTTP/1.1")}Content-Length: 10\r\n\r\nabc`);
    expect((await fetch(`${server.url}/status`)).status).toBe(200);
    const answer = await slowHead;
    expect([statusOf(answer), codeOf(answer)]).toEqual([408, "request_timeout"]);
    expect(statusOf(await slowBody)).toBe(405);
  });

  it("takes a bounded number of connections", async () => {
    const { server } = await serving({ limits: { connections: 2 } });
    const held = [connect(server.port, "127.0.0.1"), connect(server.port, "127.0.0.1")];
    atEnd(async () => held.forEach((socket) => void socket.destroy()));
    await Promise.all(held.map((socket) => new Promise((resolve) => socket.once("connect", resolve))));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await send(server.port, `${head(server.port)}\r\n`)).toBe("");
  });
});

describe("events over a socket", () => {
  it("resume with Last-Event-ID after the connection was lost", async () => {
    const { server, world } = await serving();
    const first = await listen(server);
    await first.next();
    world.commit("alpha");
    expect(await first.nextId()).toBe("1");
    await first.leave();
    world.commit("alpha");
    world.commit("beta");
    const second = await listen(server, { "last-event-id": "1" });
    expect([await second.nextId(), await second.nextId()]).toEqual(["2", "3"]);
    await second.leave();
  });

  it("drop a client that does not read, and hold no more than a little for it", async () => {
    const { server, world } = await serving({ limits: { heartbeatMs: 100, slowClientMs: 400 } });
    const slow = connect(server.port, "127.0.0.1");
    const closed = new Promise<void>((resolve) => slow.once("close", () => resolve()));
    slow.on("error", () => undefined);
    slow.write(`${head(server.port, "GET /events HTTP/1.1")}\r\n`);
    await new Promise((resolve) => slow.once("readable", resolve));
    expect(await clientsOf(server)).toBe(1);
    const reason = "x".repeat(100_000);
    for (let count = 0; count < 300; count += 1) world.commit("alpha", reason);
    await expect.poll(() => clientsOf(server), { timeout: 10_000, interval: 50 }).toBe(0);
    slow.resume();
    await closed;
  });

  it("forget a client that went away", async () => {
    const { server } = await serving();
    const client = await listen(server);
    await client.leave();
    await expect.poll(() => clientsOf(server), { timeout: 5000, interval: 20 }).toBe(0);
  });
});

describe("starting and stopping", () => {
  it("U2, N1: refuses addresses that others can reach without a token, names that are none, and paths that are not its own, before it binds", async () => {
    const world = sampleWorld(nodeScheduler());
    for (const host of ["0.0.0.0", "::", "127.0.0.2", "192.168.1.1"]) {
      const reply = await startServer(optionsOf(world, { host, token: null }));
      expect(reply).toMatchObject({ kind: "refusal", code: "not_loopback", fix: expect.stringContaining("127.0.0.1") });
    }
    for (const host of ["example.com", "", "0", "127.1", "*", "fe80::1%lo", "127.0.0.1:80"]) {
      const reply = await startServer(optionsOf(world, { host }));
      expect(reply).toMatchObject({ kind: "bad_input", code: "invalid_host", fix: expect.stringContaining("loopx serve") });
    }
    for (const name of ["*", "*.example.com", "http://x", "a b", "", "x/y", "x:y", "x@y"]) {
      expect(await startServer(optionsOf(world, { allowHosts: [name] }))).toMatchObject({ code: "invalid_host" });
    }
    expect(await startServer(optionsOf(world, { requireToken: true, token: null }))).toMatchObject({ code: "no_token" });
    for (const path of ["live", "/", "/goals", "/goals/x", "/a b", "/../x?", "/events"]) {
      expect(await startServer(optionsOf(world, { path }))).toMatchObject({ kind: "bad_input", code: "invalid_path" });
    }
    expect(world.counts.look).toBe(0);
  });

  it("names port and cause when the port that was asked for is taken, and takes the next free one otherwise", async () => {
    const other: Server = createServer();
    await new Promise<void>((resolve) => other.listen({ port: 0, host: "127.0.0.1" }, resolve));
    atEnd(() => new Promise((resolve) => other.close(() => resolve())));
    const { port } = other.address() as { readonly port: number };
    const world = sampleWorld(nodeScheduler());
    const failed = await startServer(optionsOf(world, { port })).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: "port_in_use", message: expect.stringMatching(new RegExp(`${port}.*EADDRINUSE`)) });
    const [first, second] = [await serving({ port: null }), await serving({ port: null })];
    expect(first.server.port).toBeGreaterThanOrEqual(8765);
    expect(second.server.port).toBeGreaterThan(first.server.port);
    expect((await fetch(second.server.status_url)).status).toBe(200);
  });

  it("answers 503 until the first look is done, and says nothing old", async () => {
    const world = sampleWorld(nodeScheduler());
    let release = (): void => undefined;
    const plain = world.reconcile;
    world.reconcile = async (goalIds) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      await plain(goalIds);
    };
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen({ port: 0, host: "127.0.0.1" }, resolve));
    const { port } = probe.address() as { readonly port: number };
    await new Promise<void>((resolve) => probe.close(() => resolve()));
    const starting = startServer(optionsOf(world, { port }));
    const early = async () => (await send(port, `${head(port)}Connection: close\r\n\r\n`)).slice(9, 12);
    await expect.poll(early, { timeout: 5000, interval: 20 }).toBe("503");
    release();
    const reply = await starting;
    if (reply.kind !== "done") throw new Error(reply.message);
    atEnd(() => reply.value.stop());
    expect((await fetch(reply.value.status_url)).status).toBe(200);
  });

  it("stops: ends event streams, cuts who holds on, and frees the port", async () => {
    const { server } = await serving({ limits: { stopMs: 200 } });
    const client = await listen(server);
    await client.next();
    const held = connect(server.port, "127.0.0.1");
    held.on("error", () => undefined);
    held.write(head(server.port));
    await new Promise((resolve) => held.once("connect", resolve));
    const before = performance.now();
    await Promise.all([server.stop(), server.stop()]);
    expect(performance.now() - before).toBeLessThan(2000);
    expect(await client.next()).toBe("(end)");
    const refused = await new Promise((resolve) => request({ port: server.port, host: "127.0.0.1" }).on("error", resolve).end());
    expect(refused).toMatchObject({ code: "ECONNREFUSED" });
  });
});
