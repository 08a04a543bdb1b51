import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { describe, expect, it } from "vitest";
import { accessWith } from "./access.ts";
import { noOf, sampleHttp, TOKEN, WITH_TOKEN } from "./http.sample.ts";

function shown(authorization: string | undefined): ReturnType<ReturnType<typeof accessWith>["bar"]> {
  const header = (name: string): string | undefined => (name === "authorization" ? authorization : undefined);
  return accessWith(TOKEN, "open").bar({ method: "POST", target: "/", header });
}

const WRONG = [
  "",
  "Bearer",
  "Bearer ",
  TOKEN,
  `Basic ${TOKEN}`,
  `Bearer ${TOKEN.slice(0, -1)}`,
  `Bearer ${TOKEN}A`,
  `Bearer ${TOKEN.toUpperCase()}`,
  `Bearer ${TOKEN},${TOKEN}`,
  `Bearer ${TOKEN} ${TOKEN}`,
  `Bearer ${"x".repeat(15_000)}`,
  "Bearer undefined",
  "Bearer null",
  "Bearer é",
];

describe("the token", () => {
  it.each([`Bearer ${TOKEN}`, `bearer ${TOKEN}`, `BEARER   ${TOKEN} `])("is shown by %s", (sent) => {
    expect(shown(sent)).toBeNull();
  });

  it.each(WRONG)("is not shown by %s", (sent) => {
    expect(shown(sent)).toMatchObject({ kind: "refusal", code: "token_wrong" });
  });

  it("X2: is compared in constant time, whatever was sent", () => {
    const compared: (readonly [number, number])[] = [];
    const plain = crypto.timingSafeEqual;
    crypto.timingSafeEqual = (a, b) => {
      compared.push([a.byteLength, b.byteLength]);
      return plain(a, b);
    };
    syncBuiltinESMExports();
    try {
      for (const sent of [...WRONG, `Bearer ${TOKEN}`]) shown(sent);
    } finally {
      crypto.timingSafeEqual = plain;
      syncBuiltinESMExports();
    }
    expect(compared).toEqual([...WRONG, TOKEN].map(() => [32, 32]));
  });

  it("X1: is needed by every write, and by no read on loopback", async () => {
    const http = await sampleHttp();
    for (const headers of [{}, { authorization: `Bearer ${TOKEN}x` }]) {
      const json = { "content-type": "application/json", ...headers };
      const response = await http.ask("/goals/alpha/stop", { method: "POST", headers: json, body: "{}" });
      expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
      expect((await noOf(response)).code).toMatch(/^token_(required|wrong)$/);
    }
    expect(http.sample.asked).toEqual([]);
    expect((await http.ask("/goals", { headers: { authorization: "Bearer wrong" } })).status).toBe(200);
  });

  it("X1: is needed by reads that are closed; a preflight and health are open, and health says little", async () => {
    const { ask } = await sampleHttp({ reads: "with_token" });
    expect((await ask("/status")).status).toBe(401);
    expect((await ask("/status", { method: "HEAD" })).status).toBe(401);
    expect((await ask("/status", { headers: WITH_TOKEN })).status).toBe(200);
    expect((await ask("/status", { method: "OPTIONS" })).status).toBe(204);
    expect(await (await ask("/healthz")).json()).not.toHaveProperty("pid");
    expect(await (await ask("/healthz", { headers: WITH_TOKEN })).json()).toHaveProperty("pid", 42);
  });

  it("a server without one takes no writes", async () => {
    const { post, ask } = await sampleHttp({ token: null });
    for (const authorization of [`Bearer ${TOKEN}`, "Bearer ", "Bearer null"]) {
      const response = await post("/goals/alpha/stop", {}, { authorization });
      expect([response.status, (await noOf(response)).code]).toEqual([403, "no_token"]);
    }
    expect((await ask("/status")).status).toBe(200);
  });

  it("X3: is neither logged nor answered, and what was sent for it is not either", async () => {
    const http = await sampleHttp();
    const guess = "Gu3ss-of-somebody";
    const answers = [
      await http.post("/goals/alpha/stop", {}),
      await http.post("/goals/alpha/stop", {}, { authorization: `Bearer ${guess}` }),
      await http.ask("/"),
      await http.ask("/openapi.json"),
    ];
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    const said = `${texts.join("\n")}${JSON.stringify([http.logged, answers.map((answer) => [...answer.headers])])}`;
    expect(said).not.toContain(TOKEN);
    expect(said).not.toContain(guess);
    expect(http.logged).toHaveLength(answers.length);
  });
});
