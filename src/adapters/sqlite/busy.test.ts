import { describe, expect, it } from "vitest";
import { intervalAfter, untilFree } from "./busy.ts";

const PATIENCE = { path: "/runtime/loopx.db", bound: 40 };

function sqliteError(errcode: number): Error {
  return Object.assign(new Error("from the engine"), { errcode });
}

describe("waiting", () => {
  it("asks more often the longer it has waited", () => {
    const intervals = [0, 10, 50, 99, 100, 5000].map(intervalAfter);
    expect(intervals).toEqual(intervals.toSorted((a, b) => b - a));
    expect(intervals.at(-1)).toBeLessThan((intervals[0] ?? 0) / 5);
    expect(Math.min(...intervals)).toBeGreaterThan(0);
  });

  it.each([5, 6, 261, 517])("tries again after result %i", async (code) => {
    let attempts = 0;
    const answer = await untilFree(() => {
      attempts += 1;
      if (attempts < 3) throw sqliteError(code);
      return "done";
    }, PATIENCE);
    expect([answer, attempts]).toEqual(["done", 3]);
  });

  it("passes on every other error at once", async () => {
    let attempts = 0;
    const thrown = sqliteError(11);
    const attempt = untilFree(() => {
      attempts += 1;
      throw thrown;
    }, PATIENCE);
    await expect(attempt).rejects.toBe(thrown);
    expect(attempts).toBe(1);
  });

  it("gives up at its bound with a fault that can be tried again", async () => {
    const attempt = untilFree(() => {
      throw sqliteError(5);
    }, PATIENCE);
    await expect(attempt).rejects.toMatchObject({
      code: "store_busy",
      retry: true,
      message: expect.stringContaining(PATIENCE.path),
    });
  });
});
