// The grammar of state files at a size that nobody should reach.

import { median, ms } from "./numbers.mjs";
import { product } from "./product.mjs";
import { row } from "./report.mjs";
import { stateText } from "./tree.mjs";

/** @import { Report } from "./report.mjs" */

const ROUNDS = 5;

/** @returns {Promise<Report>} */
export async function plan() {
  const lib = await product();
  const [few, many] = [await measure(lib, 10_000), await measure(lib, 100_000)];
  return {
    title: "A state file of 100,000 todos",
    how: `In one process, by the clock, medians of ${ROUNDS} after one that is not counted. Each todo has metadata; the file has ${(many.bytes / 1e6).toFixed(1)} MB.`,
    rows: [
      row("`parsePlan`", `${ms(many.parse)} (10,000 todos: ${ms(few.parse)})`),
      row("splice of one todo", `${ms(many.splice)} (${ms(few.splice)})`),
      row("`comparePlans`, one todo changed", `${ms(many.compare)} (${ms(few.compare)})`),
      row("`comparePlans`, a file never seen", `${ms(many.first)} (${ms(few.first)})`),
    ],
  };
}

/**
 * @param {typeof import("./library.mjs")} lib
 * @param {number} count
 */
async function measure(lib, count) {
  const text = stateText("long", count);
  const before = lib.parsePlan(text);
  const middle = before.todos[Math.floor(before.todos.length / 2)];
  if (before.todos.length < count || middle === undefined) throw new Error(`parsed ${before.todos.length} todos`);
  const spliced = () => {
    const edits = lib.editTodo({ text, plan: before }, middle, { status: "done" });
    if (edits.kind !== "done") throw new Error("no edit");
    return lib.applyEdits(text, edits.value);
  };
  const after = lib.parsePlan(spliced());
  const base = { plan: before, ids: lib.comparePlans(null, before).ids };
  if (lib.comparePlans(base, after).changes.length !== 1) throw new Error("not one change");
  return {
    bytes: Buffer.byteLength(text),
    parse: clocked(() => lib.parsePlan(text)),
    splice: clocked(spliced),
    compare: clocked(() => lib.comparePlans(base, after)),
    first: clocked(() => lib.comparePlans(null, before)),
  };
}

/** @param {() => unknown} work */
function clocked(work) {
  const seconds = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const began = process.hrtime.bigint();
    work();
    seconds.push(Number(process.hrtime.bigint() - began) / 1e9);
  }
  return median(seconds.slice(1));
}
