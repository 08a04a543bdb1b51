import { expect, test } from "vitest";
import { helpText, WELCOME } from "./help.ts";
import { OPTIONS } from "./options.ts";
import { COMMANDS } from "./table.ts";

const GROUPS = [["goal"], ["runtime"]];
const TOPICS = [[], ["options"], ...GROUPS, ...COMMANDS.map((spec) => [...spec.path])];

test.each(TOPICS.map((topic) => [topic.join(" "), topic] as const))(
  "H1: help of '%s' fits a screen and has an example",
  (_, topic) => {
    const text = helpText(topic, COMMANDS);
    const lines = text.trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.some((line) => line.startsWith("Example: loopx "))).toBe(true);
  },
);

test("H1: the overview names every command", () => {
  const text = helpText([], COMMANDS);
  for (const spec of COMMANDS) expect(text).toContain(spec.path.at(-1) ?? "");
});

test("help of a command names every option it takes", () => {
  for (const spec of COMMANDS) {
    const text = helpText(spec.path, COMMANDS);
    for (const option of spec.options) expect(text).toContain(`--${typeof option === "string" ? option : option.name}`);
    for (const name of spec.without_effect ?? []) expect(text).toContain(`--${name}`);
  }
});

test("every example is understood", async () => {
  const { parse } = await import("./parse.ts");
  for (const spec of COMMANDS) {
    const argv = [...spec.example.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? "").slice(1);
    expect(parse(argv, COMMANDS)).toMatchObject({ kind: "run", spec: { path: spec.path } });
  }
});

test("O1: no spelling belongs to two options", () => {
  const all = Object.entries(OPTIONS).flatMap(([name, spec]) => [name, ...(spec.aliases ?? [])]);
  expect(new Set(all).size).toBe(all.length);
});

test("the welcome names three commands", () => {
  expect(WELCOME.match(/^ {2}loopx /gm)).toHaveLength(3);
});
