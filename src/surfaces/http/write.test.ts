import { describe, expect, it } from "vitest";
import { refuse } from "../../core/result.ts";
import { Fault } from "../../errors.ts";
import { frames, noOf, routeOf, type SampleHttp, sampleHttp, WITH_TOKEN } from "./http.sample.ts";

const STOP = "/goals/alpha/stop";

function askedOf({ sample }: SampleHttp): readonly unknown[] {
  return sample.asked.map(({ use_case, request }) => [use_case, request]);
}

describe("writes", () => {
  it.each([
    ["/goals", { goal_id: "gamma", objective: "Ship it." }],
    ["/goals/alpha/refresh", { classification: "progress", next_action: "Go on.\nThen stop." }],
    ["/goals/%C3%A9t%C3%A9/refresh", {}],
    [STOP, { reason: "enough" }],
    ["/goals/alpha/resume", { dry_run: true }],
    ["/drift/fix", {}],
  ])("POST %s answers what its schema says", async (target, body) => {
    const { post } = await sampleHttp();
    const response = await post(target, body);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(routeOf(target, "POST").answer.safeParse(await response.json()).error).toBeUndefined();
  });

  it("ask the use cases what the body says", async () => {
    const http = await sampleHttp();
    await http.post("/goals", { goal_id: "g", objective: "o", display_name: "G", state_file: "s.md", dry_run: true });
    await http.post(STOP, { reason: null });
    await http.post("/goals/alpha/resume", { reason: "It is there" });
    await http.post("/drift/fix", { goal_id: "beta", dry_run: true });
    expect(askedOf(http)).toEqual([
      ["goalAdd", { goalId: "g", objective: "o", displayName: "G", stateFile: "s.md", dryRun: true }],
      ["goalStop", { goalId: "alpha", reason: null, dryRun: false }],
      ["goalResume", { goalId: "alpha", reason: "It is there", dryRun: false }],
      ["drift", { goalId: "beta", fix: true, dryRun: true }],
    ]);
  });

  it("take every field of a run", async () => {
    const http = await sampleHttp();
    const run = {
      agent_id: "codex",
      agent_lane: "lane",
      classification: "progress",
      recommended_action: "r",
      next_action: "n",
      delivery_outcome: "outcome_progress",
      delivery_batch_scale: "test_only",
      todo_id: "todo_abc",
      turn_instance_id: "turn/1",
      progress_scope: "agent_lane",
      state_file: "s.md",
      dry_run: true,
    };
    expect(await (await http.post("/goals/alpha/refresh", run)).json()).toMatchObject({ ok: true });
    const asked = http.sample.asked[0]?.request as Readonly<Record<string, unknown>>;
    const names = Object.keys(asked).map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    expect(Object.fromEntries(names.map((name, at) => [name, Object.values(asked)[at]]))).toEqual({ ...run, goal_id: "alpha" });
  });

  it("V3: name the turn by Idempotency-Key, unless the body does", async () => {
    const http = await sampleHttp();
    const turnOf = async (body: object, key: string) => {
      const response = await http.post("/goals/alpha/refresh", body, { "idempotency-key": key });
      const asked = http.sample.asked.splice(0)[0]?.request as { readonly turnInstanceId: string } | undefined;
      return [response.status, asked?.turnInstanceId ?? (await noOf(response)).code];
    };
    expect(await turnOf({}, "k/1:a@b")).toEqual([200, "k/1:a@b"]);
    expect(await turnOf({ turn_instance_id: null }, "k")).toEqual([200, "k"]);
    expect(await turnOf({ turn_instance_id: "k" }, "k")).toEqual([200, "k"]);
    expect(await turnOf({ turn_instance_id: "t" }, "k")).toEqual([400, "idempotency_conflict"]);
    for (const key of ["", "a b", "é", "x".repeat(161), "a,b"]) {
      expect(await turnOf({}, key)).toEqual([400, "invalid_idempotency_key"]);
    }
  });

  it("V2: show in the next answer, and tell the listeners, before they are answered", async () => {
    const { world, ask, sample, post } = await sampleHttp();
    const stream = frames(await ask("/events"));
    await stream.next();
    const before = await ask("/status");
    sample.instead = () => {
      world.commitOwn("alpha");
      world.title = "written";
      return refuse("goal_stopped", "no");
    };
    expect((await post(STOP, {})).status).toBe(409);
    sample.instead = null;
    const after = await ask("/status");
    expect(after.headers.get("etag")).not.toBe(before.headers.get("etag"));
    expect(await after.text()).toContain("written");
    const told = [await stream.next(), await stream.next()].join("\n");
    expect(told).toContain("event: goal.stopped");
    expect(told).toContain("event: status");
    await stream.cancel();
  });

  it("answer refusals, faults and bugs as reads do", async () => {
    const http = await sampleHttp();
    const answers: readonly (readonly [() => never, number, string])[] = [
      [
        () => {
          throw new Fault({ code: "disk_full", message: "no space is left" });
        },
        503,
        "disk_full",
      ],
      [
        () => {
          throw new TypeError("secret of the house");
        },
        500,
        "bug",
      ],
    ];
    for (const [instead, status, code] of answers) {
      http.sample.instead = instead;
      const response = await http.post(STOP, {});
      const text = await response.clone().text();
      expect([response.status, (await noOf(response)).code]).toEqual([status, code]);
      expect(text).not.toMatch(/secret|at .*\.ts/);
    }
    http.sample.instead = null;
    const unknown = await http.post("/goals/alpa/stop", {});
    expect([unknown.status, await noOf(unknown)]).toEqual([
      404,
      expect.objectContaining({ code: "unknown_goal", near: ["alpha"] }),
    ]);
  });

  it("are offered where they are, and nowhere else", async () => {
    const http = await sampleHttp();
    const offered = async (method: string, target: string) => {
      const response = await http.ask(target, { method, headers: WITH_TOKEN });
      return [response.status, response.headers.get("allow")];
    };
    expect(await offered("GET", STOP)).toEqual([405, "POST, OPTIONS"]);
    expect(await offered("HEAD", STOP)).toEqual([405, "POST, OPTIONS"]);
    expect(await offered("PUT", STOP)).toEqual([405, "POST, OPTIONS"]);
    expect(await offered("DELETE", "/goals")).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
    expect(await offered("POST", "/status")).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(await offered("OPTIONS", STOP)).toEqual([204, "POST, OPTIONS"]);
    expect((await http.post(`${STOP}?dry_run=true`, {})).status).toBe(400);
    expect((await http.post(`${STOP}/`, {})).status).toBe(404);
    expect(http.sample.asked).toEqual([]);
  });
});

describe("bodies", () => {
  const refused: readonly (readonly [string, string, string])[] = [
    ["nothing", "", "malformed_json"],
    ["half of an object", '{"reason":', "malformed_json"],
    ["no object", "[]", "body_not_object"],
    ["null", "null", "body_not_object"],
    ["two values", "{}{}", "malformed_json"],
    ["depth", "[".repeat(60_000), "malformed_json"],
    ["depth below a field", `{"reason":${'{"a":'.repeat(5000)}`, "malformed_json"],
    ["a comment", '{/**/"reason":"x"}', "malformed_json"],
    ["a key that is there twice", '{"reason":"a","reason":"b"}', "repeated_field"],
    ["a key that is there twice, below", '{"reason":{"a":1,"a":2}}', "repeated_field"],
    ["__proto__", '{"__proto__":{"dry_run":true}}', "unknown_field"],
    ["constructor", '{"constructor":{"prototype":{"dry_run":true}}}', "unknown_field"],
    ["an unknown field", '{"dry-run":true}', "unknown_field"],
    ["another type", '{"reason":1}', "invalid_field"],
    ["words for a flag", '{"dry_run":"true"}', "invalid_field"],
    ["an empty text", '{"reason":""}', "invalid_field"],
    ["white space", '{"reason":" \\n "}', "invalid_field"],
    ["U+0000", '{"reason":"a\\u0000b"}', "invalid_field"],
    ["an escape", '{"reason":"\\u001b[2Jx"}', "invalid_field"],
    ["a C1 control", '{"reason":"\u009b2J"}', "invalid_field"],
    ["half of a pair", '{"reason":"\\ud800"}', "invalid_field"],
    ["a raw control character", '{"reason":"a\u0001b"}', "malformed_json"],
  ];

  it.each(refused)("Y3, Y4, F1, B1: refuse %s", async (_, body, code) => {
    const http = await sampleHttp();
    const response = await http.post(STOP, body);
    expect([response.status, (await noOf(response)).code]).toEqual([400, code]);
    expect(http.sample.asked).toEqual([]);
    expect(({} as { readonly dry_run?: boolean }).dry_run).toBeUndefined();
  });

  it("Y3: say where JSON is wrong, and which field was meant", async () => {
    const { post } = await sampleHttp();
    const wrong = await post(STOP, '{\n  "reason": nil\n}');
    expect(await noOf(wrong)).toMatchObject({
      problems: [{ path: "body", line: 2, column: 13, code: "json_unexpected_character" }],
    });
    const near = await post("/goals/alpha/refresh", { "next-action": "x" });
    expect(await noOf(near)).toMatchObject({ code: "unknown_field", near: ["next_action"] });
    const invalid = await post("/goals/alpha/refresh", { delivery_outcome: "great", dry_run: 1 });
    expect(await noOf(invalid)).toMatchObject({ problems: [{ path: "delivery_outcome" }, { path: "dry_run" }] });
  });

  it.each([
    undefined,
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-16",
    "application/jsonp",
    "text/plain; application/json",
    "application/json, text/plain",
  ])("Y1: of type %s are not read", async (type) => {
    const http = await sampleHttp();
    const headers = { ...WITH_TOKEN, ...(type !== undefined && { "content-type": type }) };
    const response = await http.ask(STOP, { method: "POST", headers, body: new TextEncoder().encode("{}") });
    expect([response.status, (await noOf(response)).code]).toEqual([415, "unsupported_media_type"]);
    expect(http.sample.asked).toEqual([]);
  });

  it.each(["application/json", "Application/JSON; charset=UTF-8", 'application/json;charset="utf-8"'])(
    "Y1: of type %s are read",
    async (type) => {
      const { post } = await sampleHttp();
      expect((await post(STOP, {}, { "content-type": type })).status).toBe(200);
    },
  );

  it("Y1: neither encoded ones nor what is not UTF-8", async () => {
    const { post, ask } = await sampleHttp();
    expect((await post(STOP, {}, { "content-encoding": "gzip" })).status).toBe(415);
    const headers = { ...WITH_TOKEN, "content-type": "application/json" };
    const latin = new Uint8Array([...new TextEncoder().encode('{"reason":"'), 0xe9, 0x22, 0x7d]);
    const response = await ask(STOP, { method: "POST", headers, body: latin });
    expect([response.status, (await noOf(response)).code]).toEqual([400, "malformed_json"]);
  });

  it("Y2: that do not end are read no further than the limit", async () => {
    const http = await sampleHttp();
    let given = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        given += 1;
        controller.enqueue(new Uint8Array(8192).fill(0x20));
      },
    });
    const headers = { ...WITH_TOKEN, "content-type": "application/json" };
    const response = await http.ask(STOP, { method: "POST", headers, body: endless });
    expect([response.status, (await noOf(response)).code]).toEqual([413, "body_too_large"]);
    expect(given).toBeLessThan(20);
    expect((await http.post(STOP, "[".repeat(100_000))).status).toBe(413);
    expect(http.sample.asked).toEqual([]);
  });

  it("V1: are not read when the token is missing", async () => {
    const { ask } = await sampleHttp();
    let pulled = 0;
    const pull = (): void => {
      pulled += 1;
    };
    const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
    const response = await ask(STOP, { method: "POST", headers: { "content-type": "application/json" }, body });
    expect([response.status, response.headers.get("connection"), pulled]).toEqual([401, "close", 0]);
  });
});
