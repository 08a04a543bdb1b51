// Goals that are archived, put back and taken out of the registry, over HTTP, in a project of real files.
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeWorld, REFRESH, type World } from "../../../../test/fakes/workspace.ts";
import { noOf, type SampleHttp, sampleHttp } from "../http.sample.ts";

let world: World;
let http: SampleHttp;

beforeEach(async () => {
  world = await makeWorld({ goals: ["alpha", "beta"] });
  http = await sampleHttp({ app: world.app });
  await world.app.refresh(REFRESH);
});

afterEach(() => world.close());

async function archives(): Promise<unknown> {
  const response = await http.ask("/archives?goal_id=alpha");
  expect(response.status).toBe(200);
  return await response.json();
}

it("are archived, listed, and put back", async () => {
  const archived = await http.post("/goals/alpha/archive", { allow_registered: true });
  const { archive_path, ...told } = (await archived.json()) as Readonly<Record<string, unknown>>;
  expect([archived.status, told]).toMatchObject([200, { ok: true, goal_id: "alpha", archived: true, action: "moved" }]);
  expect(await archives()).toMatchObject({ archive_count: 1, archives: [{ goal_id: "alpha", archive_path, restored_at: null }] });
  const restored = await http.post("/goals/alpha/restore", { archive_path });
  expect([restored.status, await restored.json()]).toMatchObject([200, { ok: true, restored: true, archive_path }]);
  expect(await archives()).toMatchObject({ archives: [{ archive_path, restored_at: world.now() }] });
});

it("are not moved by a rehearsal", async () => {
  const position = await world.store.lastPosition();
  const rehearsed = await http.post("/goals/alpha/archive", { allow_registered: true, dry_run: true });
  expect([rehearsed.status, await rehearsed.json()]).toMatchObject([200, { archived: false, action: "would-move" }]);
  expect(await archives()).toMatchObject({ archive_count: 0 });
  expect(await world.store.lastPosition()).toBe(position);
});

it.each<[string, object, number, string]>([
  ["/goals/alpha/archive", {}, 409, "goal_registered"],
  ["/goals/beta/archive", { allow_registered: true }, 404, "runtime_goal_not_found"],
  ["/goals/alpha/archive", { archive_root: "/tmp" }, 400, "unknown_field"],
  ["/goals/beta/restore", {}, 404, "unknown_archive"],
  ["/goals/nope/remove", {}, 404, "unknown_goal"],
])("%s with %o is refused: %i %s", async (path, body, status, code) => {
  const no = await http.post(path, body);
  expect([no.status, (await noOf(no)).code]).toEqual([status, code]);
});

it("leave the registry, and their files stay", async () => {
  const removed = await http.post("/goals/beta/remove", {});
  expect([removed.status, await removed.json()]).toMatchObject([
    200,
    { ok: true, changed: true, kept: { state_file: expect.stringContaining("goals/beta/") } },
  ]);
  const registry = await http.ask("/registry");
  expect([registry.status, await registry.json()]).toMatchObject([
    200,
    { ok: true, goal_count: 1, goals: [{ goal_id: "alpha" }] },
  ]);
});

it("take in what people edited, all at once", async () => {
  world.edit((text) => text.replace("- Begin.", "- Go on."));
  const rehearsed = await http.post("/refresh", { dry_run: true });
  expect([rehearsed.status, await rehearsed.json()]).toMatchObject([
    200,
    { ok: true, dry_run: true, goal_count: 2, refused: [] },
  ]);
  const done = await http.post("/refresh", {});
  expect([done.status, await done.json()]).toMatchObject([
    200,
    { dry_run: false, refreshed: [{ goal_id: "alpha" }, { goal_id: "beta" }] },
  ]);
});
