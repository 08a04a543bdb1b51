// Replays what was recorded from the reference implementation, and holds us to it but for test/differences.json.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leftFacts } from "./after.ts";
import { clockIsLateEnough } from "./clock-words.ts";
import { type Difference, DifferenceList, differencesOf } from "./differences.ts";
import type { Facts } from "./facts/facts.ts";
import { ourExchange, referenceExchange } from "./facts/http.ts";
import { ourShape, referenceShape } from "./facts/state-shape.ts";
import { ourFacts, referenceFacts } from "./facts/step.ts";
import { listAt, parseJson, textAt } from "./json.ts";
import { type Exchange, type RecordedCase, recordedCases } from "./recorded.ts";
import { type Replayed, recordedDone, replay } from "./replay.ts";
import { ask, type Serving, serve, stop } from "./serving.ts";
import { materialise } from "./tree.ts";

const CASES = recordedCases();
const list = new DifferenceList();
const told = { steps: 0, facts: 0, differences: 0 };
const everything: (Difference & { readonly case: string; readonly step: string })[] = [];

it("the machine's clock is not before the recording", () => {
  expect(clockIsLateEnough()).toBe(true);
});

describe.each(CASES.filter((recorded) => recorded.steps.length > 0))("$name", (recorded) => {
  let replayed: Replayed;
  const goal_ids = goalIdsOf(recorded);

  beforeAll(() => {
    replayed = replay(recorded);
  }, 120_000);

  afterAll(() => rmSync(replayed.root, { recursive: true, force: true }));

  it.each(recorded.steps.filter((step) => step.argv !== null))("$name", (step) => {
    const done = replayed.done.get(step.name);
    if (done === undefined || step.argv === null) throw new Error(`${step.name} was not replayed`);
    const asked = { argv: step.argv, goal_ids };
    hold({ case: recorded.name, step: step.name }, referenceFacts(asked, recordedDone(step)), ourFacts(asked, done));
  });

  it("leaves the same on disk", () => {
    const { reference, ours } = leftFacts({ recorded: join(recorded.folder, "after"), root: replayed.root });
    hold({ case: recorded.name, step: "after" }, reference, ours);
  });
});

describe.each(CASES.filter((recorded) => recorded.name === "active-state-shapes"))("the shapes of $name", ({ folder, name }) => {
  const goals = join(folder, "input/project/.codex/goals");

  it.each(readdirSync(goals))("%s", (goal) => {
    const projection = parseJson(readFileSync(join(folder, `output/structured-projection-${goal}.json`), "utf8"));
    const text = readFileSync(join(goals, goal, "ACTIVE_GOAL_STATE.md"), "utf8");
    hold({ case: name, step: `shape-${goal}` }, referenceShape(projection), ourShape(text));
  });
});

/** Where the recording went on with a second server, on the other path and with writing enabled. */
const SECOND_SERVER = "index-write-enabled";

describe.each(CASES.filter((recorded) => recorded.exchanges.length > 0))("$name", (recorded) => {
  const second = recorded.exchanges.findIndex((exchange) => exchange.name === SECOND_SERVER);

  describe.each([
    { server: "the first server", options: [], exchanges: recorded.exchanges.slice(0, second) },
    { server: "the second server", options: ["--path", "/live"], exchanges: recorded.exchanges.slice(second) },
  ])("$server", ({ options, exchanges }) => {
    let serving: Serving;

    beforeAll(async () => {
      serving = await serve(recorded, materialise(join(recorded.folder, "input")), options);
    });

    afterAll(async () => {
      await stop(serving);
      rmSync(serving.root, { recursive: true, force: true });
    });

    it.each(exchanges)("$name", async (exchange) => {
      if (exchange.name === "live-broken-registry") await breakRegistry(serving, exchange);
      hold({ case: recorded.name, step: exchange.name }, referenceExchange(exchange), ourExchange(await ask(serving, exchange)));
    });
  });
});

it("no row of the list of differences is out of date", () => {
  expect(list.neverMet()).toEqual([]);
});

afterAll(() => {
  const { steps, facts, differences } = told;
  const share = `${differences} of them differ, by ${list.size} rows of test/differences.json`;
  console.log(`${CASES.length} cases, ${steps} steps, ${facts} facts compared; ${share}`);
  const found = process.env["LOOPX_REFERENCE_FOUND"];
  if (found !== undefined) writeFileSync(found, JSON.stringify(everything, null, 1));
});

function hold(place: { readonly case: string; readonly step: string }, reference: Facts, ours: Facts): void {
  const found = differencesOf(reference, ours);
  everything.push(...found.map((difference) => ({ ...place, ...difference })));
  told.steps += 1;
  told.facts += Object.keys(reference).length;
  told.differences += found.length;
  expect(list.check(place, found)).toEqual({ unlisted: [], stale: [] });
}

/** By hand, before the last exchange. The server looks at its files every so often: it has to see it first. */
async function breakRegistry(serving: Serving, exchange: Exchange): Promise<void> {
  writeFileSync(join(serving.root, "project/.loopx/registry.json"), "{");
  const noticed = async (): Promise<boolean> => (await ask(serving, exchange)).status !== 200;
  await expect.poll(noticed, { timeout: 60_000, interval: 100 }).toBe(true);
}

function goalIdsOf(recorded: RecordedCase): readonly string[] {
  const folder = join(recorded.folder, "input/project/.loopx");
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  return texts.flatMap((text) => listAt(parseJson(text), "goals").flatMap((goal) => textAt(goal, "id") ?? []));
}
