import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { code, markdown, plain } from "./escape.ts";
import { entryBytes, printedBytes, printJson, utf8Length } from "./print-json.ts";
import { anyText } from "./view.sample.ts";

const FORBIDDEN = ["\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f", "\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff"].join(
  "",
);
const HOSTILE = new RegExp(`[${FORBIDDEN}]|[\\ud800-\\udfff]`, "u");

describe("text for people", () => {
  it.each([
    ["\u001b[2J", "\\u{1b}[2J"],
    ["\u009b31m", "\\u{9b}31m"],
    ["a\u202eb", "a\\u{202e}b"],
    ["\ud800", "\\u{d800}"],
    ["a\n\t b", "a b"],
    ["字 👩‍🌾 é", "字 👩‍🌾 é"],
    ["\u{e0041}", "\\u{e0041}"],
  ])("M1: %j is shown as %j", (text, expected) => {
    expect(plain(text)).toBe(expected);
  });

  it.each([
    ["a|b", "a\\|b"],
    ["todo_a_b", "todo_a_b"],
    ["ä_ö 字_字 𝐀_𝐁 _字 字_", "ä_ö 字_字 𝐀_𝐁 \\_字 字\\_"],
    ["_x_ *y* `z`", "\\_x\\_ \\*y\\* \\`z\\`"],
    ["[a](b) <script>", "[a\\](b) \\<script\\>"],
    ["![a][b] [c]: d", "![a\\][b] [c\\]: d"],
    ["[P1] a [b]", "[P1] a [b]"],
    ["[x] done", "\\[x] done"],
    ["&lt; & &#60;", "\\&lt; & \\&#60;"],
    ["C:\\x", "C:\\\\x"],
    ["~~gone~~", "\\~\\~gone\\~\\~"],
  ])("M2: %j is written as %j", (text, expected) => {
    expect(markdown(text)).toBe(expected);
  });

  it.each([
    ["goal", "`goal`"],
    ["a`b", "``a`b``"],
    ["`", "`` ` ``"],
    ["", "`  `"],
  ])("puts %j into the code span %j", (text, expected) => {
    expect(code(text)).toBe(expected);
  });

  it("M1, O1: no text gets through that does more than show itself", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const shown of [plain(text), markdown(text), code(text), printJson({ text })]) expect(shown).not.toMatch(HOSTILE);
        expect(plain(text)).not.toContain("\n");
      }),
    );
  });
});

describe("printJson", () => {
  it("O1: is the same data, and the same text as JSON.stringify where nothing is hostile", () => {
    fc.assert(
      fc.property(fc.jsonValue(), anyText, (value, text) => {
        expect(JSON.parse(printJson({ value, text }))).toEqual(JSON.parse(JSON.stringify({ value, text })));
      }),
    );
    expect(printJson({ a: ["字🙂", 1] })).toBe('{\n  "a": [\n    "字🙂",\n    1\n  ]\n}\n');
  });

  it("counts the bytes that are written", () => {
    fc.assert(
      fc.property(fc.jsonValue(), anyText, (value, text) => {
        expect(printedBytes({ value, text })).toBe(Buffer.byteLength(printJson({ value, text })));
        expect(utf8Length(printJson(text))).toBe(Buffer.byteLength(printJson(text)));
        const [none, one, two] = [[], [{ value }], [{ value }, { value }]].map((rows) => printedBytes({ rows })) as [
          number,
          number,
          number,
        ];
        expect(two - one).toBe(entryBytes({ value }));
        expect(one - none).toBeLessThanOrEqual(entryBytes({ value }) + 3);
      }),
    );
  });
});
