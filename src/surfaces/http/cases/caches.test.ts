// Caches of a project, over HTTP: counted, pruned and cleared as the commands do.
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeWorld, STATUS, type World } from "../../../../test/fakes/workspace.ts";
import { noOf, type SampleHttp, sampleHttp } from "../http.sample.ts";

let world: World;
let http: SampleHttp;

beforeEach(async () => {
  world = await makeWorld({ goals: ["alpha", "beta"] });
  http = await sampleHttp({ app: world.app });
  await world.app.status({ ...STATUS, all: true });
});

afterEach(() => world.close());

async function views(): Promise<number> {
  const response = await http.ask("/cache?kind=status");
  const { caches } = (await response.json()) as { readonly caches: readonly { readonly entries: number }[] };
  expect([response.status, caches.length]).toEqual([200, 1]);
  return caches[0]?.entries ?? 0;
}

it("tells how much there is, and what would go; then it is gone", async () => {
  expect(await views()).toBe(2);
  const rehearsed = await http.post("/cache/clear", { kind: "status", dry_run: true });
  expect([rehearsed.status, await rehearsed.json()]).toMatchObject([200, { ok: true, dry_run: true, entries: 2 }]);
  expect(await views()).toBe(2);
  const pruned = await http.post("/cache/prune", { kind: "status", max_entries: 1 });
  expect([pruned.status, await pruned.json()]).toMatchObject([200, { ok: true, dry_run: false, entries: 1 }]);
  expect(await views()).toBe(1);
  const cleared = await http.post("/cache/clear", {});
  expect([cleared.status, await cleared.json()]).toMatchObject([200, { ok: true, dry_run: false, entries: 1 }]);
  expect(await views()).toBe(0);
});

it("has all kinds, and the bounds that hold", async () => {
  const stats = (await (await http.ask("/cache")).json()) as { readonly caches: readonly { readonly kind: string }[] };
  expect(stats.caches.map(({ kind }) => kind)).toEqual(["status", "verifier", "packages"]);
  expect(stats).toMatchObject({ limits: { max_cache_entries: expect.any(Number), max_cache_bytes: expect.any(Number) } });
});

it.each([
  ["/cache?kind=status&capability=test", "option_conflict"],
  ["/cache?capability=%C3%A9%20x", "capability_invalid"],
  ["/cache?kind=views", "invalid_parameter"],
  ["/cache?kinds=status", "unknown_parameter"],
])("refuses %s: 400 %s", async (target, code) => {
  const no = await http.ask(target);
  expect([no.status, (await noOf(no)).code]).toEqual([400, code]);
});

it.each<[object, number, string]>([
  [{ kind: "views" }, 400, "invalid_field"],
  [{ max_entries: -1 }, 400, "invalid_field"],
  [{ maxEntries: 1 }, 400, "unknown_field"],
])("refuses to prune %o: %i %s", async (body, status, code) => {
  const no = await http.post("/cache/prune", body);
  expect([no.status, (await noOf(no)).code]).toEqual([status, code]);
});
