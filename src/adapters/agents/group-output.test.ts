import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { OutputLine } from "../../core/host/output-stream.ts";
import { GroupOutput, type KeptOutput } from "./group-output.ts";

const LIMITS = { idle_ms: null, hard_ms: 1000, grace_ms: 0, line_bytes: 100, output_bytes: 1000 };

function outputOf(more: { log?: KeptOutput; onLine?: (line: OutputLine) => void } = {}) {
  const pipes = { out: new PassThrough(), err: new PassThrough() };
  const lines: string[] = [];
  const broken: unknown[] = [];
  const output = new GroupOutput(pipes, {
    limits: LIMITS,
    onLine: (line, source) => {
      more.onLine?.(line);
      lines.push(`${source} ${line.text}`);
    },
    onBroken: (error) => broken.push(error),
    log: more.log ?? null,
  });
  return { pipes, lines, broken, output };
}

test("lines of both pipes, unfinished ones at the end", async () => {
  const { pipes, lines, output } = outputOf();
  pipes.out.write("one\ntw");
  pipes.err.end("oops");
  pipes.out.end("o\nthree");
  await output.drain();
  expect(lines.toSorted()).toEqual(["err oops", "out one", "out three", "out two"]);
  expect(output.dropped).toBe(0);
});

test("O1: while the log is behind nothing is read, and the program is not quiet", async () => {
  let isBehind = false;
  let catchUp: () => void = () => {};
  const log: KeptOutput = {
    write: () => {
      isBehind = true;
    },
    get isBehind() {
      return isBehind;
    },
    caughtUp: () =>
      new Promise((resolve) => {
        catchUp = resolve;
      }),
  };
  const { pipes, lines, output } = outputOf({ log });
  const paused = once(pipes.out, "pause");
  pipes.out.write("one\n");
  await paused;
  pipes.out.write("two\n");
  expect([pipes.out.isPaused(), pipes.err.isPaused(), output.quietFor]).toEqual([true, true, 0]);
  expect(lines).toEqual(["out one"]);
  isBehind = false;
  const resumed = once(pipes.out, "resume");
  catchUp();
  await resumed;
  pipes.out.end();
  pipes.err.end();
  await output.drain();
  expect(lines).toEqual(["out one", "out two"]);
});

test("O2: pipes that nobody closes are let go, and the last line is given", async () => {
  const { pipes, lines, output } = outputOf();
  pipes.out.write("unfinished");
  await output.drain();
  expect(lines).toEqual(["out unfinished"]);
  expect([pipes.out.destroyed, pipes.err.destroyed]).toEqual([true, true]);
});

test("a listener that throws is told once and asked no more", async () => {
  const fault = new Error("in the parser");
  const onLine = (): void => {
    throw fault;
  };
  const { pipes, lines, broken, output } = outputOf({ onLine });
  pipes.out.end("one\ntwo\n");
  pipes.err.end();
  await output.drain();
  expect({ lines, broken }).toEqual({ lines: [], broken: [fault] });
});

test("a pipe that breaks has ended", async () => {
  const { pipes, lines, output } = outputOf();
  const read = once(pipes.out, "data");
  pipes.out.write("one\n");
  await read;
  pipes.out.destroy(new Error("EIO"));
  pipes.err.end();
  await output.drain();
  expect(lines).toEqual(["out one"]);
});
