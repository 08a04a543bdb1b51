import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agent, at, id, todo } from "../goal/goal.sample.ts";
import { leaseOn } from "../next/situation.sample.ts";
import { type ClaimFacts, claimPayload } from "./claim.ts";
import { claimPage } from "./markdown/claim.ts";
import { printJson } from "./print-json.ts";

const CLAIM_BYTES = 2048;
const bytesOf = (value: unknown): number => Buffer.byteLength(printJson(value));

const AGENT = agent(`a${"b".repeat(79)}`);
const NAME = "z".repeat(64);

interface Said {
  readonly text: string;
  readonly metadata: Readonly<Record<string, string>>;
}

function claimed(goal_id: string, { text, metadata }: Said, fields: Partial<ClaimFacts> = {}): ClaimFacts {
  const record = todo(NAME, { text, metadata, priority: 3, task_class: "advancement_task" });
  const lease = leaseOn(record, AGENT, 100, { epoch: 123_456, version: 123_456 })[record.todo_id] ?? null;
  const told = { decision: null, dry_run: false, replay: false, warnings: [] };
  return { goal_id, agent_id: AGENT, todo: record, lease, ...told, ...fields };
}

const goalId = fc.constantFrom(
  ...["g", "g".repeat(120), "g".repeat(128), "ü".repeat(64), "日".repeat(42), "g'".repeat(64), "\u00ad".repeat(64)],
);
const letter = fc.constantFrom("x", "é", "日", "😀", "\u0001", "\u200b", "\ud800", '"', "\\", "\n");
const text = fc.tuple(letter, fc.integer({ min: 0, max: 4000 })).map(([each, times]) => each.repeat(times));
const metadata = fc
  .tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 100 }), text)
  .map(([count, width, value]) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}`.padStart(width, "k"), value])),
  );

describe("K1", () => {
  test("a claim is at most 2 KiB, its ids and its lease whole", () => {
    fc.assert(
      fc.property(goalId, text, metadata, text, (goal, words, said, message) => {
        const warnings = [{ path: `/p/${"q".repeat(300)}`, code: "state_file_not_written", message }];
        const payload = claimPayload(claimed(goal, { text: words, metadata: said }, { warnings }));
        expect(bytesOf(payload)).toBeLessThanOrEqual(CLAIM_BYTES);
        expect(payload).toMatchObject({
          claimed: true,
          goal_id: goal,
          agent_id: AGENT,
          todo: { todo_id: id(NAME), priority: 3 },
        });
        expect(payload.lease).toEqual({
          ...{ key: `${goal}/${id(NAME)}`, owner: AGENT, epoch: 123_456, version: 123_456 },
          ...{ expires_at: at(100), ttl_seconds: 100 },
        });
        const { texts = 0, metadata: dropped = 0 } = payload.left_out ?? {};
        expect(Object.keys(payload.todo?.metadata ?? {}).length + dropped).toBe(Object.keys(said).length);
        if (payload.todo?.text !== words) expect(texts).toBeGreaterThan(0);
      }),
      { numRuns: 40 },
    );
  });

  test("what was cut carries the mark, is counted, and the whole is a command away", () => {
    const said = { text: "日".repeat(9000), metadata: { note: "é".repeat(5000), task_class: "advancement_task" } };
    const record = todo("one", said);
    const lease = leaseOn(record, "a1")[record.todo_id] ?? null;
    const payload = claimPayload(claimed("alpha", said, { agent_id: "a1", todo: record, lease }));
    expect(payload.todo?.text).toBe(`${"日".repeat(299)}…`);
    expect(payload.todo?.metadata).toEqual({ note: `${"é".repeat(39)}…`, task_class: "advancement_task" });
    expect(payload.left_out).toEqual({
      texts: 2,
      metadata: 0,
      get: [`loopx todo show --goal-id alpha --todo-id todo_one`],
    });
    expect(payload.then).toHaveLength(3);
    expect(claimPage(payload)).toContain(`whole with \`loopx todo show --goal-id alpha --todo-id todo_one\``);
  });

  test("what fits is whole", () => {
    const said = { text: "two words", metadata: { note: "n" } };
    const payload = claimPayload(claimed("alpha", said));
    expect(payload.todo).toMatchObject(said);
    expect(payload).not.toHaveProperty("left_out");
  });

  test("nothing to claim is at most 2 KiB too", () => {
    fc.assert(
      fc.property(goalId, text, (goal, words) => {
        const ids = [0, 1, 2, 3, 4].map((n) => id(`${n}${"z".repeat(63)}`));
        const payload = claimPayload(
          claimed(
            goal,
            { text: "", metadata: {} },
            {
              todo: null,
              lease: null,
              warnings: [{ code: "state_file_not_written", message: words }],
              decision: {
                ...{
                  act: "wait",
                  why: "peers_own",
                  because: words,
                  todo: null,
                  quota: null,
                  warnings: [],
                  token: "fedcba9876543210",
                },
                tell: {
                  todo_ids: ids,
                  text: words,
                  commands: [`loopx gate approve ${ids[0]} --goal-id ${goal}`],
                  token: "0123456789abcdef",
                },
                commands: [`loopx next --goal-id ${goal} --agent-id ${AGENT}`],
                wait: { reason: words, until: at(0), minutes: 1440 },
              },
            },
          ),
        );
        expect(bytesOf(payload)).toBeLessThanOrEqual(CLAIM_BYTES);
        expect(payload).toMatchObject({ claimed: false, decision: { why: "peers_own", wait: { until: at(0) } } });
      }),
      { numRuns: 40 },
    );
  });
});
