import { expect, test } from "vitest";
import type { CommandSpec } from "./command.ts";
import { parse } from "./parse.ts";
import { COMMANDS } from "./table.ts";
import { EVERY_TURN } from "./table-turns.ts";

function wordsOf({ path, aliases = [] }: CommandSpec): readonly string[] {
  return [path, ...aliases].map((words) => words.join(" "));
}

/** What is to be run; null: it was not understood. */
function toRun(argv: readonly string[], commands: readonly CommandSpec[]): readonly [CommandSpec, boolean] | null {
  const parsed = parse(argv, commands);
  return parsed.kind === "run" ? [parsed.spec, parsed.bare] : null;
}

test("the commands of every turn stand in the table of all", () => {
  expect(EVERY_TURN.filter((spec) => !COMMANDS.includes(spec))).toEqual([]);
});

test("no command can be taken for one of every turn", () => {
  const often = EVERY_TURN.flatMap(wordsOf);
  const others = COMMANDS.filter((spec) => !EVERY_TURN.includes(spec)).flatMap(wordsOf);
  expect(others.filter((words) => often.some((known) => `${words} `.startsWith(`${known} `)))).toEqual([]);
});

test.each(COMMANDS.map((spec) => [spec.path.join(" "), spec] as const))(
  "%s is understood alike with the commands of every turn and with all",
  (_, spec) => {
    const argv = [...spec.path, "--json"];
    const all = toRun(argv, COMMANDS);
    expect(toRun(argv, EVERY_TURN)).toEqual(EVERY_TURN.includes(spec) ? all : null);
    expect(all?.[0] ?? spec).toBe(spec);
  },
);

test("what names no command is not taken for one of every turn, but for the bare command", () => {
  for (const argv of [["sttaus"], ["goal"], ["todo", "status"], ["--goal-id", "g", "gate", "list"]])
    expect(toRun(argv, EVERY_TURN)).toBeNull();
  expect(toRun([], EVERY_TURN)).toEqual(toRun([], COMMANDS));
  expect(toRun([], EVERY_TURN)?.[1]).toBe(true);
});
