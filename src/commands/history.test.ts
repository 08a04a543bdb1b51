import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { HISTORY, makeWorld, REFRESH, type World, write } from "../../test/fakes/workspace.ts";
import { toRunTime } from "../core/instant.ts";
import { valueFrom } from "./workspace.sample.ts";

const worlds: World[] = [];

afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

it("P1: pages and --all show every run once, own and foreign, newest first; --all whole", async () => {
  const world = await makeWorld({ store: "sqlite" });
  worlds.push(world);
  const long = "x".repeat(5000);
  const rows = Array.from({ length: 9 }, (_, at) =>
    JSON.stringify({ generated_at: `2026-01-0${at + 1}T00:00:00+00:00`, text: long }),
  );
  write(join(world.project, ".loopx/runtime/goals/alpha/runs/index.jsonl"), `${rows.join("\n")}\n`);
  const own: string[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    world.advance(1000);
    own.unshift(toRunTime(world.now()));
    await world.app.refresh(REFRESH);
  }
  const expected = [...own, ...rows.map((row) => String(JSON.parse(row).generated_at)).toReversed()];
  const all = await valueFrom(world.app.history({ ...HISTORY, all: true }));
  expect(all.runs.map((run) => run.generated_at)).toEqual(expected);
  expect([all.runs.at(-1)?.["text"], all.left_out]).toMatchObject([long, { runs: 0, texts: 0, fields: 0, get: [] }]);
  const seen: unknown[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: typeof all = await valueFrom(world.app.history({ ...HISTORY, limit: 5, cursor }));
    seen.push(...page.runs.map((run) => run.generated_at));
    cursor = page.left_out.cursor;
    if (cursor === null) break;
  }
  expect(seen).toEqual(expected);
  const first = await valueFrom(world.app.history({ ...HISTORY, limit: 5 }));
  expect(first.left_out.get).toContain("loopx history --goal-id alpha --all");
});
