import { describe, expect, it } from "vitest";
import { eventData } from "../../schema/http/answers.ts";
import { frames, noOf, sampleHttp } from "./http.sample.ts";

function idOf(frame: string): string | undefined {
  return /^id: (.*)$/m.exec(frame)?.[1];
}

function dataOf(frame: string): unknown {
  return JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? "null");
}

async function idsOf(stream: { next(): Promise<string> }, count: number): Promise<readonly (string | undefined)[]> {
  const ids: (string | undefined)[] = [];
  while (ids.length < count) ids.push(idOf(await stream.next()));
  return ids;
}

describe("/events", () => {
  it("tells what happens from now on, each event as its schema says, within two polls", async () => {
    const { ask, world, scheduler } = await sampleHttp();
    world.commit("alpha");
    const response = await ask("/events");
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("cache-control")).toContain("no-store");
    const stream = frames(response);
    expect(await stream.next()).toContain("retry: ");
    world.commit("beta", "line\nbreak\r\n\u2028");
    await scheduler.advance(30);
    const frame = await stream.next();
    expect(frame.split(/[\n\r\u2028\u2029]/)).toHaveLength(3);
    expect(idOf(frame)).toBe("2");
    expect(eventData.safeParse(dataOf(frame)).error).toBeUndefined();
    expect(dataOf(frame)).toMatchObject({
      pos: "2",
      goal_id: "beta",
      type: "goal.stopped",
      data: { reason: "line\nbreak\r\n\u2028" },
    });
    await stream.cancel();
  });

  it("C2: resumes behind Last-Event-ID or after, however far back, without a hole or a double", async () => {
    const { ask, world, scheduler } = await sampleHttp();
    for (let count = 0; count < 350; count += 1) world.commit("alpha");
    const all = frames(await ask("/events?after=0"));
    await all.next();
    expect(await idsOf(all, 350)).toEqual(Array.from({ length: 350 }, (_, at) => String(at + 1)));
    const some = frames(await ask("/events?after=1", { headers: { "last-event-id": "348" } }));
    await some.next();
    expect(await idsOf(some, 2)).toEqual(["349", "350"]);
    world.commit("alpha");
    await scheduler.advance(30);
    expect(await idsOf(some, 1)).toEqual(["351"]);
    expect(await idsOf(all, 1)).toEqual(["351"]);
  });

  it("C2: who falls behind what is kept in memory reads the rest from the store", async () => {
    const { ask, world, scheduler } = await sampleHttp();
    const stream = frames(await ask("/events"));
    await stream.next();
    const first = stream.next();
    for (let count = 0; count < 2500; count += 1) world.commit("alpha");
    await scheduler.advance(30);
    expect(idOf(await first)).toBe("1");
    expect(await idsOf(stream, 2499)).toEqual(Array.from({ length: 2499 }, (_, at) => String(at + 2)));
  });

  it("reads the store once for all who listen at the head", async () => {
    const { ask, world, scheduler } = await sampleHttp();
    const streams = await Promise.all(Array.from({ length: 20 }, async () => frames(await ask("/events"))));
    await Promise.all(streams.map((stream) => stream.next()));
    const heard = streams.map((stream) => stream.next());
    const { feed } = world.counts;
    world.commit("alpha");
    await scheduler.advance(15);
    expect((await Promise.all(heard)).map(idOf)).toEqual(Array(20).fill("1"));
    expect(world.counts.feed - feed).toBe(1);
  });

  it("B4: a position that is not there yet is answered by a reset", async () => {
    const { ask, world, scheduler } = await sampleHttp();
    world.commit("alpha");
    const stream = frames(await ask("/events?after=99"));
    await stream.next();
    const reset = await stream.next();
    expect([/^event: (.*)$/m.exec(reset)?.[1], dataOf(reset), idOf(reset)]).toEqual(["reset", { pos: "1" }, undefined]);
    world.commit("alpha");
    await scheduler.advance(30);
    expect(idOf(await stream.next())).toBe("2");
  });

  it("B1: takes a bounded number of listeners, and another one when one has left", async () => {
    const { ask, hub } = await sampleHttp({ limits: { eventClients: 2 } });
    const first = frames(await ask("/events"));
    await ask("/events");
    const refused = await ask("/events");
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect((await noOf(refused)).code).toBe("too_many_listeners");
    await first.cancel();
    expect(hub.count()).toBe(1);
    expect((await ask("/events")).status).toBe(200);
    expect((await ask("/events", { method: "HEAD" })).status).toBe(200);
    expect(hub.count()).toBe(2);
  });

  it("B2: polls fast only while somebody listens", async () => {
    const { ask, world, scheduler } = await sampleHttp();
    const looksIn = async (milliseconds: number) => {
      const { look } = world.counts;
      await scheduler.advance(milliseconds);
      return world.counts.look - look;
    };
    expect(await looksIn(1000)).toBeLessThan(6);
    const stream = frames(await ask("/events"));
    expect(await looksIn(1000)).toBeGreaterThan(50);
    await stream.cancel();
    await scheduler.advance(250);
    expect(await looksIn(1000)).toBeLessThan(6);
  });

  it("B3, C1, C3: keeps a quiet connection alive, and drops a reader that takes nothing", async () => {
    const { ask, world, scheduler, hub } = await sampleHttp({ limits: { heartbeatMs: 1000, slowClientMs: 4000 } });
    const quick = frames(await ask("/events"));
    const slow = await ask("/events");
    const reader = (slow.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await quick.next();
    const beat = quick.next();
    await scheduler.advance(1000);
    expect(await beat).toMatch(/^: /);
    const events = Array.from({ length: 5 }, () => world.commit("alpha"));
    const ids = idsOf(quick, events.length);
    await scheduler.advance(30);
    expect(await ids).toEqual(events.map(({ pos }) => pos));
    let beats = 0;
    const listen = async (): Promise<void> => {
      while ((await quick.next()).startsWith(": ")) beats += 1;
    };
    void listen();
    for (let second = 0; second < 6; second += 1) await scheduler.advance(1000);
    expect(hub.count()).toBe(1);
    await expect(reader.read()).rejects.toThrow("slow");
    expect(beats).toBeGreaterThanOrEqual(5);
  });

  it("tells when the default page differs, once, and not when only time has passed", async () => {
    const { ask, world, scheduler } = await sampleHttp();
    const stream = frames(await ask("/events"));
    await stream.next();
    await scheduler.advance(12_000);
    world.title = "second";
    world.commit("alpha");
    const next = stream.next();
    await scheduler.advance(30);
    expect(idOf(await next)).toBe("1");
    const told = await stream.next();
    expect(told).toMatch(/^event: status\n/);
    expect(dataOf(told)).toEqual({ etag: (await ask("/status")).headers.get("etag") });
  });

  it("ends the streams when it stops, and takes no more", async () => {
    const { ask, hub } = await sampleHttp();
    const stream = frames(await ask("/events"));
    await stream.next();
    const rest = stream.next();
    hub.stop();
    expect(await rest).toBe("(end)");
    expect((await ask("/events")).status).toBe(503);
  });
});
