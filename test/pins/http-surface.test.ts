import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { outwardOf } from "../../src/errors.ts";
import { ROUTES, type RouteSpec } from "../../src/schema/http/routes.ts";
import { sampleHttp } from "../../src/surfaces/http/http.sample.ts";
import { LIMITS } from "../../src/surfaces/http/limits.ts";

const SURFACE: Readonly<Record<string, readonly string[]>> = {
  "/": [],
  "/status": ["limit", "cursor", "all", "fields", "goal_id", "agent_id"],
  "/status.json": ["limit", "cursor", "all", "fields", "goal_id", "agent_id"],
  "/goals": ["limit", "cursor", "all"],
  "/goals/{goal_id}": [],
  "/goals/{goal_id}/history": ["limit", "cursor"],
  "/drift": ["goal_id", "limit", "cursor"],
  "/events": ["after"],
  "/healthz": [],
  "/openapi.json": [],
};

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, unknown>> }>>;
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties?: object }>> };
}

async function describedSurface(): Promise<Document> {
  const { ask } = await sampleHttp();
  return (await (await ask("/openapi.json")).json()) as Document;
}

describe("the HTTP surface", () => {
  it("has these routes with these parameters", () => {
    const routes = Object.values<RouteSpec>(ROUTES).map(({ path, parameters }) => [path, parameters]);
    expect(Object.fromEntries(routes)).toEqual(SURFACE);
  });

  it("is described in /openapi.json as it is, reads only, each with its answer and its no", async () => {
    const { openapi, paths, components } = await describedSurface();
    expect(openapi).toBe("3.1.0");
    expect(Object.keys(paths)).toEqual(Object.keys(SURFACE));
    for (const [path, operations] of Object.entries(paths)) {
      expect(Object.keys(operations)).toEqual(["get"]);
      const query = operations["get"]?.parameters?.filter((parameter) => parameter.in === "query") ?? [];
      expect(query.map(({ name }) => name)).toEqual(SURFACE[path]);
      expect(Object.keys(operations["get"]?.responses ?? {})).toEqual(["200", "default"]);
    }
    expect(Object.keys(paths["/events"]?.["get"]?.responses["200"]?.content ?? {})).toEqual(["text/event-stream"]);
    const { No, Status, Drift } = components.schemas;
    expect(Object.keys(No?.properties ?? {})).toEqual(expect.arrayContaining(["ok", "code", "message", "fix", "retry"]));
    expect(Object.keys(Status?.properties ?? {})).toEqual(
      expect.arrayContaining(["ok", "registry", "runtime_root", "goal_count", "goals", "attention_queue", "left_out"]),
    );
    expect(Object.keys(Drift?.properties ?? {})).toEqual(["goal_id", "kind", "severity", "declared", "observed", "since", "fix"]);
  });

  it("gives these statuses to what it refuses itself", () => {
    const statuses = [
      ["unknown_parameter", 400],
      ["invalid_goal_id", 400],
      ["body_not_expected", 400],
      ["malformed_request", 400],
      ["route_not_found", 404],
      ["method_not_allowed", 405],
      ["request_timeout", 408],
      ["body_too_large", 413],
      ["url_too_long", 414],
      ["headers_too_large", 431],
    ] as const;
    for (const [code, status] of statuses) expect([code, outwardOf({ kind: "bad_input", code }).http]).toEqual([code, status]);
    expect(outwardOf({ kind: "refusal", code: "host_refused" }).http).toBe(421);
    expect(outwardOf({ kind: "refusal", code: "origin_refused" }).http).toBe(403);
    for (const code of ["starting", "too_many_listeners", "server_stopping"]) {
      expect(outwardOf({ kind: "fault", code })).toMatchObject({ http: 503, retry: true });
    }
    expect(outwardOf({ kind: "fault", code: "port_in_use" }).exit).toBe(5);
    expect(outwardOf({ kind: "refusal", code: "not_loopback" }).exit).toBe(1);
  });

  it("is what docs/http.md says", () => {
    const text = readFileSync(new URL("../../docs/http.md", import.meta.url), "utf8");
    for (const [path, parameters] of Object.entries(SURFACE)) {
      const row = text.split("\n").find((line) => line.startsWith("| `GET") && line.includes(`${path}\``));
      expect([path, ...parameters.filter((name) => row?.includes(`\`${name}\``))]).toEqual([path, ...parameters]);
    }
    expect(text).toContain(`| ${LIMITS.connections}, ${LIMITS.eventClients} |`);
    expect(text).toContain(`| ${LIMITS.headersTimeoutMs / 1000} s, ${LIMITS.requestTimeoutMs / 1000} s |`);
    expect(text).toContain(`every ${LIMITS.heartbeatMs / 1000} seconds`);
    expect(text).toContain(`nothing for ${LIMITS.slowClientMs / 1000} seconds`);
    expect(text).toContain(`${LIMITS.headerBytes / 1024} KiB, `);
    expect(text).toContain(`| ${LIMITS.stopMs / 1000} s, then`);
  });
});
