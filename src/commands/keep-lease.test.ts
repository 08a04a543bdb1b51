import { expect, test } from "vitest";
import { keepLease, type Renewal } from "./keep-lease.ts";
import { handScheduler } from "./scheduler.sample.ts";

const HELD: Renewal = { kind: "held", for_ms: 100 };

function keeping(answers: readonly (() => Promise<Renewal>)[]) {
  const scheduler = handScheduler();
  const seen = { asked: 0, lost: 0 };
  const renew = (): Promise<Renewal> => {
    const answer = answers[seen.asked] ?? (() => Promise.resolve(HELD));
    seen.asked += 1;
    return answer();
  };
  const end = keepLease(scheduler, { left_ms: 100, renew_every_ms: 30, renew }, () => {
    seen.lost += 1;
  });
  return { scheduler, seen, end };
}

const fails = (): Promise<Renewal> => Promise.reject(new Error("store busy"));

test("a lease that is renewed lasts as long as it is kept", async () => {
  const { scheduler, seen, end } = keeping([]);
  await scheduler.advance(1000);
  expect(seen).toEqual({ asked: 33, lost: 0 });
  end();
  await scheduler.advance(1000);
  expect(seen).toEqual({ asked: 33, lost: 0 });
  expect(scheduler.pending()).toBe(0);
});

test("K1: lost is what a renewal says", async () => {
  const { scheduler, seen } = keeping([() => Promise.resolve({ kind: "lost" })]);
  await scheduler.advance(30);
  expect(seen).toEqual({ asked: 1, lost: 1 });
  await scheduler.advance(1000);
  expect(seen).toEqual({ asked: 1, lost: 1 });
});

test("K1: renewals that fail prove nothing until the time has passed", async () => {
  const { scheduler, seen } = keeping([fails, fails]);
  await scheduler.advance(99);
  expect(seen).toEqual({ asked: 3, lost: 0 });
  const failing = keeping([fails, fails, fails, fails]);
  await failing.scheduler.advance(99);
  expect(failing.seen.lost).toBe(0);
  await failing.scheduler.advance(1);
  expect(failing.seen).toEqual({ asked: 3, lost: 1 });
});

test("K2 K3: an answer that was long on its way counts from when it was asked for, and one at a time is asked", async () => {
  let answer: (renewal: Renewal) => void = () => {};
  const slow = (): Promise<Renewal> =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const { scheduler, seen } = keeping([slow, fails, fails, fails, fails]);
  await scheduler.advance(90);
  expect(seen.asked).toBe(1);
  answer(HELD);
  await scheduler.advance(0);
  await scheduler.advance(39);
  expect(seen.lost).toBe(0);
  await scheduler.advance(1);
  expect(seen.lost).toBe(1);
});

test("K3: after the end an answer changes nothing", async () => {
  let answer: (renewal: Renewal) => void = () => {};
  const { scheduler, seen, end } = keeping([
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  ]);
  await scheduler.advance(30);
  end();
  answer({ kind: "lost" });
  await scheduler.advance(1000);
  expect(seen).toEqual({ asked: 1, lost: 0 });
});
