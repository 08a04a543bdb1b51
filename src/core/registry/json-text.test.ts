import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonNode } from "./json-node.ts";
import { nodeAt } from "./json-path.ts";
import { positionAt } from "./json-position.ts";
import { findRootMember, MAX_JSON_DEPTH, parseJsonText } from "./json-text.ts";

function read(text: string): unknown {
  const parsed = parseJsonText(text);
  if (!parsed.ok) throw new Error(`${parsed.problem.code} at ${parsed.problem.offset}`);
  return parsed.value;
}

function problemOf(text: string) {
  const parsed = parseJsonText(text);
  if (parsed.ok) throw new Error("was readable");
  return parsed.problem;
}

/** Every node of a tree. */
function allNodes(node: JsonNode): readonly JsonNode[] {
  if (node.kind === "object") return [node, ...node.members.flatMap(({ value }) => allNodes(value))];
  return node.kind === "array" ? [node, ...node.elements.flatMap(allNodes)] : [node];
}

describe("values", () => {
  it("agrees with JSON.parse on whatever JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: "medium" }), fc.constantFrom(undefined, 2, "\t"), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it("accepts exactly what JSON.parse accepts, overflowing numbers aside", () => {
    const piece = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"',
      '"a"',
      "1",
      "-",
      "0",
      "01",
      "1.5",
      ".",
      "e5",
      "true",
      "null",
      "\\",
      "\\n",
      "\\u00e9",
      "\\ud83d",
      " ",
      "\n",
      "\t",
      "é",
      "NaN",
      "/",
    );
    const shape = fc.oneof(
      fc.array(piece, { maxLength: 9 }).map((parts) => parts.join("")),
      fc.jsonValue().chain((value) => {
        const text = JSON.stringify(value);
        return fc.tuple(fc.nat(text.length), piece).map(([at, extra]) => text.slice(0, at) + extra + text.slice(at));
      }),
    );
    fc.assert(
      fc.property(shape, (text) => {
        let wanted: unknown;
        try {
          wanted = JSON.parse(text);
        } catch {
          expect(parseJsonText(text).ok).toBe(false);
          return;
        }
        const parsed = parseJsonText(text);
        if (parsed.ok) expect(parsed.value).toEqual(wanted);
        else expect(parsed.problem.code).toBe("json_number_too_large");
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['"\\u00e9\\n\\/\\\\"', "é\n/\\"],
    ['"\\ud83d\\ude80"', "🚀"],
    ["-0.5e+2", -50],
    ["\ufeff[1]", [1]],
    [" \r\n\t{} ", {}],
  ])("reads %j", (text, wanted) => expect(read(text)).toEqual(wanted));

  it("J2: keeps __proto__ as a key of its own and leaves every prototype alone", () => {
    const value = read('{"__proto__": {"polluted": true}, "constructor": 1}');
    expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect("polluted" in {}).toBe(false);
  });

  it("J2: ends in a problem, not in a full stack, however deep the text", () => {
    expect(read("[".repeat(MAX_JSON_DEPTH) + "]".repeat(MAX_JSON_DEPTH))).toBeInstanceOf(Array);
    const problem = problemOf("[".repeat(100_000));
    expect(problem).toMatchObject({ code: "json_too_deep", offset: MAX_JSON_DEPTH });
    expect(problemOf('{"a":'.repeat(100_000)).code).toBe("json_too_deep");
  });

  it("J3: takes the last of repeated keys and reports each repetition", () => {
    const parsed = parseJsonText('{"a": 1, "b": {"c": 1, "c": 2}, "a": 3, "a": 4}');
    expect(parsed).toMatchObject({ ok: true, value: { a: 4, b: { c: 2 } } });
    expect(parsed.ok && parsed.repeated_keys.map(({ key, offset }) => [key, offset])).toEqual([
      ["c", 23],
      ["a", 32],
      ["a", 40],
    ]);
  });
});

describe("places", () => {
  it("J1: every value is the text between its start and its end", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("", "\ufeff"), (value, bom) => {
        const text = bom + JSON.stringify(value, null, 1);
        const parsed = parseJsonText(text);
        if (!parsed.ok) throw new Error(parsed.problem.code);
        expect(parsed.has_bom).toBe(bom !== "");
        expect(JSON.parse(text.slice(parsed.root.start, parsed.root.end))).toEqual(parsed.value);
        for (const { start, end } of allNodes(parsed.root)) expect(() => JSON.parse(text.slice(start, end))).not.toThrow();
      }),
    );
  });

  it("finds a value by its path, and the last one of repeated keys", () => {
    const text = '{"goals": [{"id": "a"}, {"id": "b", "id": "c"}]}';
    const parsed = parseJsonText(text);
    if (!parsed.ok) throw new Error(parsed.problem.code);
    const node = nodeAt(parsed.root, ["goals", 1, "id"]);
    expect(node === null ? null : text.slice(node.start, node.end)).toBe('"c"');
    expect(nodeAt(parsed.root, ["goals", 2])).toBeNull();
    expect(nodeAt(parsed.root, ["goals", "id"])).toBeNull();
    expect(nodeAt(parsed.root, ["goals", 0, "id", "deeper"])).toBeNull();
  });

  it.each([
    ["", "json_empty", 1, 1],
    ["\ufeff", "json_empty", 1, 1],
    [" \n ", "json_empty", 2, 2],
    ['{"goals": [', "json_unexpected_end", 1, 12],
    ['{\n  "a": 1\n  "b": 2\n}', "json_unexpected_character", 3, 3],
    ['{\r\n  "a": tru\r\n}', "json_unexpected_character", 2, 8],
    ['{\r  "a": 01\r}', "json_bad_number", 2, 8],
    ['\ufeff{"a": NaN}', "json_not_a_number", 1, 7],
    ['{"a": -Infinity}', "json_not_a_number", 1, 7],
    ['{"a": 1e999}', "json_number_too_large", 1, 7],
    ['{"a": 1,}', "json_trailing_comma", 1, 9],
    ["[1,]", "json_trailing_comma", 1, 4],
    ["{\n// no\n}", "json_comment", 2, 1],
    ["[1] x", "json_text_after_end", 1, 5],
    ['{"a": "b\nc"}', "json_control_character", 1, 9],
    ['{"🚀": "\\x"}', "json_bad_escape", 1, 9],
    ['{"a": "b', "json_unexpected_end", 1, 7],
    ["{a: 1}", "json_unexpected_character", 1, 2],
    ['{"a" 1}', "json_unexpected_character", 1, 6],
    ['["a" "b"]', "json_unexpected_character", 1, 6],
    ["[-]", "json_unexpected_character", 1, 2],
    ["[1.]", "json_bad_number", 1, 2],
  ])("J4: %j is %s at %i:%i", (text, code, line, column) => {
    expect(problemOf(text)).toMatchObject({ code, line, column });
  });

  it("names the place where a valid text was damaged", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1 }), fc.nat(), (values, seed) => {
        const text = JSON.stringify(values, null, 2);
        const parsed = parseJsonText(text);
        if (!parsed.ok || parsed.root.kind !== "array") throw new Error("not a list");
        const element = parsed.root.elements[seed % parsed.root.elements.length];
        const at = element?.start ?? 0;
        const problem = problemOf(`${text.slice(0, at)}?${text.slice(at)}`);
        expect(problem.offset).toBe(at);
        expect(problem).toMatchObject(positionAt(text, at));
      }),
    );
  });
});

describe("findRootMember", () => {
  const text = '\ufeff{"schema_version": "0.1", "n": 12, "common_runtime_root": "rt", "goals": [{"id": "a"}]}';

  it("answers from a beginning what the whole text says, or not at all", () => {
    for (let end = 0; end <= text.length; end += 1) {
      const found = findRootMember(text.slice(0, end), "common_runtime_root");
      if (found !== undefined) expect(found.value).toBe("rt");
      const number = findRootMember(text.slice(0, end), "n");
      if (number !== undefined) expect(number.value).toBe(12);
    }
    expect(findRootMember(text.slice(0, 70), "common_runtime_root")).toEqual({ value: "rt", start: text.indexOf('"rt"') });
  });

  it.each(["", "[1]", "{", "{x", '{"a" 1', '{"a": ?', '{"a": 1}'])("does not find it in %j", (beginning) => {
    expect(findRootMember(beginning, "common_runtime_root")).toBeUndefined();
  });
});
