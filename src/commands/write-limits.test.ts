// Limits of a goal, on what commands write and on what people write by hand.
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventsOf, takeIn } from "../../test/fakes/asks.ts";
import { CLAIM, DONE, declareQuota, NEXT } from "../../test/fakes/turns.ts";
import { makeWorld, REFRESH, type World } from "../../test/fakes/workspace.ts";
import { codeFrom, valueFrom } from "./workspace.sample.ts";

let world: World;
beforeEach(async () => {
  world = await makeWorld();
});
afterEach(() => world.close());

const LONG = "word ".repeat(200);
const limit = (limits: Readonly<Record<string, number>>): void => declareQuota(world, { limits });

test("W4 an event that is too long is refused, with its field, and nothing of the command is stored", async () => {
  await takeIn(world);
  limit({ max_event_bytes: 600 });
  const before = await eventsOf(world);
  expect(await world.app.refresh({ ...REFRESH, nextAction: LONG })).toMatchObject({
    kind: "refusal",
    code: "limit_event_bytes",
    details: { field: "entries", limit: 600 },
  });
  expect(await eventsOf(world)).toEqual(before);
});

test("W4 what ends work is not, however long its words are", async () => {
  limit({ max_event_bytes: 600 });
  await valueFrom(world.app.claim({ ...CLAIM, todoId: "todo_ground" }));
  const answer = await valueFrom(world.app.done({ ...DONE, summary: LONG }));
  expect(answer).toMatchObject({ changed: true, status: "done" });
});

test("W4 quota that cannot be understood is no permission: the narrower numbers hold", async () => {
  declareQuota(world, { compute: "abc", limits: { max_event_bytes: 0 } });
  expect(await codeFrom(world.app.refresh({ ...REFRESH, nextAction: "x".repeat(300_000) }))).toBe("limit_event_bytes");
  expect(await codeFrom(world.app.refresh({ ...REFRESH, nextAction: "Go on." }))).toBe("done");
});

test("what people wrote by hand is taken in, and told of", async () => {
  limit({ max_open_todos: 2, max_event_bytes: 100 });
  world.edit((text) => text.replace("- [ ] Write it down", `- [ ] ${LONG}`));
  await takeIn(world);
  const { warnings, act } = await valueFrom(world.app.next(NEXT));
  expect(act).toBe("run");
  expect(warnings).toMatchObject([{ code: "limit_open_todos", message: expect.stringContaining("3 open todos") }]);
});

test("a goal near its runtime bytes says so with every write, and in next", async () => {
  await takeIn(world);
  limit({ max_runtime_bytes: 2000 });
  const answer = await valueFrom(world.app.refresh({ ...REFRESH, nextAction: "x".repeat(500) }));
  expect(answer.warnings).toContainEqual(expect.objectContaining({ code: "limit_runtime_bytes" }));
  expect((await valueFrom(world.app.next(NEXT))).warnings).toMatchObject([{ code: "limit_runtime_bytes" }]);
});

test("without a limit near there is no word of it", async () => {
  await takeIn(world);
  expect(await valueFrom(world.app.next(NEXT))).not.toHaveProperty("warnings");
});
