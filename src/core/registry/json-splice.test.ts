import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "./json-node.ts";
import { type JsonEdit, spliceJson } from "./json-splice.ts";
import { parseJsonText } from "./json-text.ts";

function edited(text: string, ...edits: readonly JsonEdit[]): string {
  const result = spliceJson(text, edits);
  if (result.kind !== "edited") throw new Error(result.kind);
  return result.text;
}

const REGISTRY = `\ufeff{\r
\t"schema_version": "0.1",\r
\t"updated_at" : "2026-01-01T00:00:00+00:00",\r
\t"goals": [\r
\t\t{ "id": "a", "x": 1 },\r
\t\t{\r
\t\t\t"id": "b",\r
\t\t\t"mine": [1,2 ,3]\r
\t\t}\r
\t]\r
}\r
\r
`;

describe("layout", () => {
  it("S2: keeps tabs, CR LF, byte order mark and final empty lines", () => {
    const text = edited(REGISTRY, { kind: "append", path: ["goals"], value: { id: "c", tags: ["t"] } });
    expect(text).toBe(
      REGISTRY.replace(
        "\t\t}\r\n\t]",
        '\t\t},\r\n\t\t{\r\n\t\t\t"id": "c",\r\n\t\t\t"tags": [\r\n\t\t\t\t"t"\r\n\t\t\t]\r\n\t\t}\r\n\t]',
      ),
    );
  });

  it("S2: adds to an object on one line on that line, and to a spread one on a line of its own", () => {
    const path = ["goals", 0, "y"];
    expect(edited(REGISTRY, { kind: "set", path, value: [true, {}] })).toBe(
      REGISTRY.replace('"x": 1 }', '"x": 1, "y": [true, {}] }'),
    );
    expect(edited(REGISTRY, { kind: "set", path: ["goals", 1, "y"], value: null })).toBe(
      REGISTRY.replace("[1,2 ,3]\r\n", '[1,2 ,3],\r\n\t\t\t"y": null\r\n'),
    );
  });

  it.each<[string, JsonEdit, string]>([
    ["{}", { kind: "set", path: ["a"], value: 1 }, '{\n  "a": 1\n}'],
    ["{ }\n", { kind: "set", path: ["a"], value: [] }, '{\n  "a": []\n}\n'],
    ['{"a":1}', { kind: "set", path: ["b"], value: { c: 2, d: 3 } }, '{"a":1,"b":{"c":2,"d":3}}'],
    ['{ "a": 1 }', { kind: "set", path: ["b"], value: 2 }, '{ "a": 1, "b": 2 }'],
    ['{"a": 1}', { kind: "set", path: ["b"], value: 2 }, '{"a": 1, "b": 2}'],
    ['{\n "a": {}\n}', { kind: "set", path: ["a", "b"], value: 1 }, '{\n "a": {\n  "b": 1\n }\n}'],
    ['{"a": []}', { kind: "append", path: ["a"], value: "x" }, '{"a": ["x"]}'],
    ["[1, 2, 3]", { kind: "remove", path: [0] }, "[2, 3]"],
    ["[1, 2, 3]", { kind: "remove", path: [1] }, "[1, 3]"],
    ["[1, 2, 3]", { kind: "remove", path: [2] }, "[1, 2]"],
    ["[ 1 ]", { kind: "remove", path: [0] }, "[]"],
    ['{"a": 1, "b": 2, "a": 3, "c": 4}', { kind: "remove", path: ["a"] }, '{"b": 2, "c": 4}'],
    ['{"a": 1, "b": 2, "a": 3}', { kind: "set", path: ["a"], value: 9 }, '{"a": 1, "b": 2, "a": 9}'],
    ["7", { kind: "set", path: [], value: { a: 1 } }, '{\n  "a": 1\n}'],
    ['{"a": 1, "a": 2, "b": 3, "a": 4, "a": 5}', { kind: "remove", path: ["a"] }, '{"b": 3}'],
    ['{"a": "x"}', { kind: "set", path: [], value: [1] }, "[1]"],
    ['{"k": ["a","b"]}', { kind: "set", path: ["k"], value: ["b"] }, '{"k": ["b"]}'],
    ['{"__proto__": 1}', { kind: "set", path: ["__proto__"], value: 2 }, '{"__proto__": 2}'],
  ])("%j edited", (text, edit, wanted) => expect(edited(text, edit)).toBe(wanted));

  it("S3: leaves a text alone that already says it, however it is spelled", () => {
    const text = '{"a" : "\\u00e9" , "b":[ 1 ]}';
    expect(edited(text, { kind: "set", path: ["a"], value: "é" }, { kind: "set", path: ["b"], value: [1] })).toBe(text);
  });

  it.each<JsonEdit>([
    { kind: "set", path: ["nope", "x"], value: 1 },
    { kind: "set", path: ["goals", 7], value: 1 },
    { kind: "append", path: ["schema_version"], value: 1 },
    { kind: "append", path: ["nope"], value: 1 },
    { kind: "remove", path: ["nope"] },
    { kind: "remove", path: [] },
    { kind: "remove", path: ["goals", 0, "id", "x"] },
  ])("says that a place is not there: %j", (edit) => {
    expect(spliceJson(REGISTRY, [edit])).toMatchObject({ kind: "no_such_place", path: edit.path });
  });

  it("does not edit what it cannot read", () => {
    expect(spliceJson('{"a": }', [{ kind: "set", path: ["a"], value: 1 }])).toMatchObject({
      kind: "unreadable",
      problem: { column: 7 },
    });
  });
});

type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };

function kindOf(value: Plain): "list" | "object" | "scalar" {
  if (Array.isArray(value)) return "list";
  return typeof value === "object" && value !== null ? "object" : "scalar";
}

/** All paths to containers, with the containers. */
function containers(
  value: Plain,
  path: readonly (string | number)[] = [],
): { path: readonly (string | number)[]; value: Plain }[] {
  if (value === null || typeof value !== "object") return [];
  const inner = Array.isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value);
  return [{ path, value }, ...inner.flatMap(([key, item]) => containers(item, [...path, key]))];
}

function changed(value: Plain, path: readonly (string | number)[], change: (container: Plain) => Plain): Plain {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? changed(item, rest, change) : item));
  const object = value as { [key: string]: Plain };
  return Object.fromEntries(
    Object.entries(object).map(([key, item]) => [key, key === step ? changed(item, rest, change) : item]),
  );
}

interface Case {
  readonly edit: JsonEdit;
  /** The value that the edit must give. */
  readonly wanted: Plain;
}
interface Choice {
  readonly path: readonly (string | number)[];
  readonly added: Plain;
  readonly pick: number;
  readonly name: string;
  readonly removing: boolean;
}

function listCase(value: Plain, list: readonly Plain[], { path, added, pick, removing }: Choice): Case {
  if (!removing || list.length === 0) {
    return { edit: { kind: "append", path, value: added }, wanted: changed(value, path, () => [...list, added]) };
  }
  const index = pick % list.length;
  return { edit: { kind: "remove", path: [...path, index] }, wanted: changed(value, path, () => list.toSpliced(index, 1)) };
}

function objectCase(value: Plain, object: object, { path, added, pick, name, removing }: Choice): Case {
  const keys = Object.keys(object);
  const key = name.length > 6 ? name : (keys[pick % Math.max(1, keys.length)] ?? name);
  const others = Object.entries(object).filter(([other]) => other !== key);
  if (removing && keys.includes(key)) {
    return { edit: { kind: "remove", path: [...path, key] }, wanted: changed(value, path, () => Object.fromEntries(others)) };
  }
  const wanted = changed(value, path, () => Object.fromEntries([...others, [key, added]]));
  return { edit: { kind: "set", path: [...path, key], value: added }, wanted };
}

/** Any edit of any container of a value. */
function editOf(value: Plain): fc.Arbitrary<Case> {
  const json = fc.jsonValue() as fc.Arbitrary<Plain>;
  const at = fc.constantFrom(...containers(value));
  return fc
    .record({ at, added: json, pick: fc.nat(), name: fc.string(), removing: fc.boolean() })
    .map(({ at: { path, value: container }, ...rest }) =>
      Array.isArray(container)
        ? listCase(value, container, { path, ...rest })
        : objectCase(value, container as object, { path, ...rest }),
    );
}

/** JSON text laid out at random. */
function laidOut(value: Plain, gaps: readonly string[], state = { at: 0 }): string {
  const gap = () => gaps[state.at++ % gaps.length] ?? "";
  if (kindOf(value) === "scalar") return JSON.stringify(value);
  const items = Array.isArray(value)
    ? value.map((item) => gap() + laidOut(item, gaps, state) + gap())
    : Object.entries(value as object).map(
        ([key, item]) => `${gap()}${JSON.stringify(key)}${gap()}:${gap()}${laidOut(item as Plain, gaps, state)}${gap()}`,
      );
  const inside = items.length === 0 ? gap() : items.join(",");
  return Array.isArray(value) ? `[${inside}]` : `{${inside}}`;
}

const gapsOf = fc.array(fc.constantFrom("", " ", "\n", "\r\n\t", "\n    ", "\t"), { minLength: 1, maxLength: 7 });
const document = (fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())) as fc.Arbitrary<Plain>).chain(
  (value) =>
    fc.record({
      value: fc.constant(value),
      text: fc
        .tuple(gapsOf, fc.constantFrom("", "\ufeff"), fc.constantFrom("", "\n", "\r\n\r\n"))
        .map(([gaps, before, after]) => before + laidOut(value, gaps) + after),
      change: editOf(value),
    }),
);

describe("any edit of any text in any layout", () => {
  it("S1: reads as the edited value", () => {
    fc.assert(
      fc.property(document, ({ text, change: { edit, wanted } }) => {
        const parsed = parseJsonText(edited(text, edit));
        if (!parsed.ok) throw new Error(`${parsed.problem.code} ${parsed.problem.offset}`);
        expect(parsed.value).toEqual(JSON.parse(JSON.stringify(wanted)) as JsonValue);
      }),
      { numRuns: 1500 },
    );
  });

  it("S1: keeps every byte before and after one contiguous place inside the edited container", () => {
    fc.assert(
      fc.property(document, ({ text, change: { edit } }) => {
        const result = edited(text, edit);
        const parsed = parseJsonText(text);
        if (!parsed.ok) throw new Error(parsed.problem.code);
        const inside = edit.kind === "append" ? edit.path : edit.path.slice(0, -1);
        const node = inside.reduce<typeof parsed.root | null>((at, step) => {
          if (at?.kind === "array") return at.elements[Number(step)] ?? null;
          return at?.kind === "object" ? (at.members.findLast(({ key }) => key === step)?.value ?? null) : null;
        }, parsed.root);
        expect(result.startsWith(text.slice(0, (node?.start ?? 0) + 1))).toBe(true);
        expect(result.endsWith(text.slice((node?.end ?? 0) - 1))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("takes back what it added", () => {
    fc.assert(
      fc.property(document, fc.jsonValue(), ({ text, value }, added) => {
        if (!Array.isArray(value) || value.length === 0) return;
        const longer = edited(text, { kind: "append", path: [], value: added as JsonValue });
        expect(edited(longer, { kind: "remove", path: [value.length] })).toBe(text);
      }),
    );
  });
});
