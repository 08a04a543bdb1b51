import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { done, refuse } from "../../core/result.ts";
import { sampleHttp } from "./http.sample.ts";

describe("bytes", () => {
  it("Y1: one tag for each encoding, 304 for the one that is known", async () => {
    const { ask } = await sampleHttp();
    const answers = await Promise.all(
      ["", "gzip", "br, gzip;q=0.5"].map((accept) => ask("/status", { headers: { "accept-encoding": accept } })),
    );
    const encodings = answers.map((answer) => answer.headers.get("content-encoding"));
    expect(encodings).toEqual([null, "gzip", "br"]);
    const [plain, gzip, brotli] = await Promise.all(answers.map(async (answer) => Buffer.from(await answer.arrayBuffer())));
    expect(gunzipSync(gzip as Buffer)).toEqual(plain);
    expect(brotliDecompressSync(brotli as Buffer)).toEqual(plain);
    const tags = answers.map((answer) => answer.headers.get("etag") ?? "");
    expect(new Set(tags).size).toBe(3);
    for (const answer of answers) expect(answer.headers.get("vary")).toContain("Accept-Encoding");
    const known = async (tag: string) => ask("/status", { headers: { "if-none-match": tag } });
    for (const tag of [tags[0] ?? "", `W/${tags[0]}`, `"x", ${tags[0]}`, "*"]) {
      const response = await known(tag);
      expect([response.status, await response.text(), response.headers.get("etag")]).toEqual([304, "", tags[0]]);
    }
    expect((await known('"x"')).status).toBe(200);
  });

  it.each([
    ["gzip;q=0", null],
    ["br;q=0, *", "gzip"],
    ["identity", null],
    ["GZIP", "gzip"],
    ["nonsense;;q=,", null],
  ])("Accept-Encoding %s", async (accept, encoding) => {
    const { ask } = await sampleHttp();
    expect((await ask("/status", { headers: { "accept-encoding": accept } })).headers.get("content-encoding")).toBe(encoding);
  });

  it("P1: the page and its tag stay until something shown differs", async () => {
    const { ask, world, scheduler } = await sampleHttp();
    const tag = async () => (await ask("/status")).headers.get("etag");
    const first = await tag();
    world.commit("alpha");
    await scheduler.advance(6000);
    expect(await tag()).toBe(first);
    world.commit("alpha");
    world.title = "second";
    expect(await tag()).not.toBe(first);
  });

  it("K1, K2, K3: asks again only when something changed, and never keeps a failure", async () => {
    const http = await sampleHttp();
    await Promise.all([http.ask("/goals"), http.ask("/goals"), http.ask("/goals?limit=1")]);
    await http.ask("/goals");
    expect(http.sample.asked).toHaveLength(2);
    http.world.commit("alpha");
    http.sample.instead = () => refuse("goal_stopped", "no");
    expect((await http.ask("/goals")).status).toBe(409);
    http.sample.instead = null;
    expect((await http.ask("/goals")).status).toBe(200);
  });

  it("Y3: large answers are compressed too", async () => {
    const http = await sampleHttp();
    http.sample.instead = () => done({ ok: true, goals: Array.from({ length: 20_000 }, (_, at) => ({ goal_id: `g${at}` })) });
    const response = await http.ask("/goals?all", { headers: { "accept-encoding": "gzip, br" } });
    expect(response.headers.get("content-encoding")).toBe("gzip");
    const text = gunzipSync(Buffer.from(await response.arrayBuffer())).toString();
    expect(JSON.parse(text).goals).toHaveLength(20_000);
  });
});
