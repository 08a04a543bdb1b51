import { expect, test } from "vitest";
import { FenceFinder } from "./fence.ts";
import { MAX_RESULT_LENGTH } from "./result-text.ts";

const block = (text: string, fence = "```"): string => `${fence}loopx-turn-result\n${text}\n${fence}`;

function found(...messages: readonly string[]): string | null {
  const finder = new FenceFinder();
  for (const message of messages) {
    finder.startMessage();
    for (const line of message.split("\n")) finder.read(line);
  }
  return finder.block();
}

test("a block is what stands between its fences", () => {
  expect(found(`Done.\n${block('{"kind":"wait"}\n{}')}\nBye.`)).toBe('{"kind":"wait"}\n{}\n');
  expect(found(`  ${block("x", "````")}`)).toBe("x\n");
  expect(found(block("a\n```\nb", "````"))).toBe("a\n```\nb\n");
});

test.each([
  ["no block at all"],
  ["```json\n{}\n```"],
  ["    ```loopx-turn-result\n    {}"],
  ["``loopx-turn-result\n{}\n``"],
  ["say ```loopx-turn-result"],
])("%j holds none", (text) => {
  expect(found(text)).toBeNull();
});

test("several lines may come at once", () => {
  const finder = new FenceFinder();
  finder.read(block("x"));
  expect(finder.block()).toBe("x\n");
});

test("F1: the last block of the last message counts", () => {
  expect(found(`${block("first")}\n${block("second")}`)).toBe("second\n");
  expect(found(block("first"), "nothing here")).toBeNull();
  expect(found("```loopx-turn-result\nhalf", block("whole"))).toBe("whole\n");
});

test("F2: no more than a result is held", () => {
  const text = found(block(Array.from({ length: 5000 }, () => "x".repeat(100)).join("\n")));
  expect(text?.length).toBeGreaterThan(MAX_RESULT_LENGTH);
  expect(text?.length).toBeLessThan(2 * MAX_RESULT_LENGTH + 3);
  expect(found(block("x".repeat(1_000_000)))?.length).toBe(MAX_RESULT_LENGTH + 1);
});

test("F3: a block that nothing closes is one", () => {
  expect(found('a\n```loopx-turn-result\n{"kind":')).toBe('{"kind":\n');
  expect(found(`${block("first")}\n\`\`\`loopx-turn-result`)).toBe("");
});
