import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_DEPTH } from "./index-record.ts";
import { LineReader, MAX_RECORD, type Taken } from "./line-reader.ts";

const fatal = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string | null => {
  try {
    return fatal.decode(bytes);
  } catch {
    return null;
  }
};

function readerAt(offset: number, lines: number): LineReader {
  return new LineReader({ decode, goal_id: "alpha", store_id: "s1", generation: 1, offset, lines });
}

function joined(parts: readonly Taken[]): Taken {
  const last = parts.at(-1) ?? readerAt(0, 0).take();
  return {
    rows: parts.flatMap(({ rows }) => rows),
    own: parts.flatMap(({ own }) => own),
    damage: parts.flatMap(({ damage }) => damage),
    damage_count: parts.reduce((sum, { damage_count }) => sum + damage_count, 0),
    raw_records: parts.reduce((sum, { raw_records }) => sum + raw_records, 0),
    offset: last.offset,
    lines: last.lines,
  };
}

function readAll(bytes: Uint8Array, size: number = bytes.length + 1): Taken {
  const reader = readerAt(0, 0);
  const parts: Taken[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    reader.feed(bytes.subarray(at, at + size));
    parts.push(reader.take());
  }
  reader.end();
  parts.push(reader.take());
  return joined(parts);
}

/** Reads the file as it stands at each length, the way a process does that comes back after each append. */
function readGrowing(bytes: Uint8Array, lengths: readonly number[]): Taken {
  const parts: Taken[] = [];
  let offset = 0;
  let lines = 0;
  for (const [index, length] of [...lengths, bytes.length].entries()) {
    const reader = readerAt(offset, lines);
    reader.feed(bytes.subarray(offset, Math.max(offset, length)));
    reader.end();
    const taken = reader.take();
    const torn = index < lengths.length && taken.damage.at(-1)?.code === "torn_tail";
    parts.push(torn ? withoutTail(taken) : taken);
    ({ offset, lines } = taken);
  }
  return joined(parts);
}

function withoutTail(taken: Taken): Taken {
  return {
    ...taken,
    damage: taken.damage.slice(0, -1),
    damage_count: taken.damage_count - 1,
    raw_records: taken.raw_records - 1,
  };
}

const row = (n: number): string => JSON.stringify({ generated_at: `2026-08-01T09:00:${String(n % 60).padStart(2, "0")}Z`, n });
const codes = (taken: Taken): readonly string[] => taken.damage.map(({ code, line }) => `${line}:${code}`);
const numbers = (taken: Taken): readonly unknown[] => taken.rows.map((placed) => placed.row["n"]);

describe("rows", () => {
  test("each line is a row with its line number and byte offset; blank lines are nothing", () => {
    const taken = readAll(bytesOf(`${row(1)}\n\n  \t\r\n${row(2)}\r\n{"n":"é"}\n${row(3)}\n`));
    expect(numbers(taken)).toEqual([1, 2, "é", 3]);
    expect(taken.rows.map(({ line }) => line)).toEqual([1, 4, 5, 6]);
    expect(taken.rows[3]?.position).toBe(bytesOf(`${row(1)}\n\n  \t\r\n${row(2)}\r\n{"n":"é"}\n`).length);
    expect(taken).toMatchObject({ raw_records: 4, damage_count: 0, lines: 6 });
  });

  test("rows that name another goal are kept, and a key named __proto__ changes nothing else", () => {
    const taken = readAll(bytesOf(`{"goal_id":"other","n":1}\n{"__proto__":{"n":9},"n":2}\n`));
    expect(numbers(taken)).toEqual([1, 2]);
    expect(Object.hasOwn(taken.rows[1]?.row ?? {}, "__proto__")).toBe(true);
    expect(({} as Record<string, unknown>)["n"]).toBeUndefined();
  });

  test("NaN and Infinity are null outside of texts (L4)", () => {
    const taken = readAll(bytesOf(`{"n": NaN, "t": "NaN \\" Infinity", "x": [-Infinity, 1]}\n`));
    expect(taken.rows[0]?.row).toEqual({ n: null, t: 'NaN " Infinity', x: [null, 1] });
  });

  test("a row of a megabyte of escapes is read all the same (L4)", () => {
    const line = `{"n": NaN, "t": "${"\\n".repeat(520_000)}"}`;
    expect(readAll(bytesOf(`${line}\n`))).toMatchObject({ raw_records: 1, damage_count: 0 });
  });

  test("a byte order mark at the start belongs to no row", () => {
    expect(numbers(readAll(bytesOf(`\uFEFF${row(1)}\n${row(2)}\n`)))).toEqual([1, 2]);
    expect(readAll(bytesOf(`${row(1)}\n\uFEFF${row(2)}\n`)).damage_count).toBe(1);
  });
});

describe("damage", () => {
  const deep = "[".repeat(100_000);
  test.each([
    ["invalid_json", `{"n": 1, BROKEN`],
    ["not_an_object", "[1,2,3]"],
    ["not_an_object", "42"],
    ["too_deep", deep],
    ["too_deep", `{"n":${"[".repeat(MAX_DEPTH)}${"]".repeat(MAX_DEPTH)}}`],
    ["nul_bytes", "\0".repeat(4096)],
    ["too_long", `{"n":"${"x".repeat(MAX_RECORD)}"}`],
    ["too_long", "x".repeat(10_000_000)],
  ])("%s is one damage, and the rows around it are read", (code, line) => {
    const taken = readAll(bytesOf(`${row(1)}\n${line}\n${row(2)}\n`), 65_536);
    expect(numbers(taken)).toEqual([1, 2]);
    expect(taken.damage).toMatchObject([{ code, line: 2, offset: row(1).length + 1 }]);
    expect(taken).toMatchObject({ raw_records: 3, damage_count: 1, lines: 3 });
    expect(readAll(bytesOf(`${row(1)}\n${line}\n${row(2)}\n`))).toEqual(taken);
  });

  test("bytes that are not UTF-8 spoil their own line alone", () => {
    const bytes = new Uint8Array([...bytesOf(`${row(1)}\n{"n":"caf`), 0xc3, 0x22, 0x7d, 0x0a, ...bytesOf(`${row(2)}\n`)]);
    const taken = readAll(bytes);
    expect(numbers(taken)).toEqual([1, 2]);
    expect(codes(taken)).toEqual(["2:invalid_utf8"]);
  });

  test("a row nested exactly as deep as allowed is a row (L3)", () => {
    const line = `{"n":${"[".repeat(MAX_DEPTH - 1)}${"]".repeat(MAX_DEPTH - 1)}}`;
    expect(readAll(bytesOf(`${line}\n`))).toMatchObject({ raw_records: 1, damage_count: 0 });
  });

  test("a row with many brackets side by side is a row (L3)", () => {
    const line = JSON.stringify({ n: 1, list: Array.from({ length: 500 }, () => []) });
    expect(numbers(readAll(bytesOf(`${line}\n`)))).toEqual([1]);
  });

  test("damage beyond the first 50 is counted", () => {
    const taken = readAll(bytesOf("x\n".repeat(120)));
    expect(taken.damage_count).toBe(120);
    expect(taken.damage.length).toBe(50);
  });
});

describe("the end of the file", () => {
  test("a torn tail is reported and not passed (B1)", () => {
    const taken = readAll(bytesOf(`${row(1)}\n{"generated_at": "2026`));
    expect(codes(taken)).toEqual(["2:torn_tail"]);
    expect(taken.offset).toBe(row(1).length + 1);
    expect(taken.raw_records).toBe(2);
  });

  test("a whole row without a line feed is taken in, and stays one row whatever is appended to its line (L1, B1)", () => {
    const first = bytesOf(`${row(1)}\n${row(2)}`);
    expect(readAll(first)).toMatchObject({ offset: first.length, lines: 1, damage_count: 0 });
    for (const more of ["\n", " \r\n", `${row(3)}\n`, `garbage\n`, "\0\0\n", `\n${row(3)}\n`]) {
      const whole = bytesOf(`${row(1)}\n${row(2)}${more}`);
      expect(readGrowing(whole, [first.length])).toEqual(readAll(whole));
      expect(numbers(readAll(whole)).slice(0, 2)).toEqual([1, 2]);
    }
  });

  test.each([
    String.raw`{"n":1,"t":"}\""}`,
    String.raw`{"n":1,"t":"\\\"}{"}`,
    String.raw`{"n":1,"t":"\\","u":"]"}`,
    String.raw`{"n":1,"\"":[{"a":"\\\\"}]}`,
  ])("%s ends where its brackets close outside of texts (L1)", (line) => {
    expect(numbers(readAll(bytesOf(line)))).toEqual([1]);
    expect(numbers(readAll(bytesOf(`${line}${row(2)}\n`)))).toEqual([1, 2]);
  });

  test("a very long tail is not held and not passed (B2)", () => {
    const taken = readAll(bytesOf(`${row(1)}\n${"x".repeat(3 * MAX_RECORD)}`), 65_536);
    expect(codes(taken)).toEqual(["2:torn_tail"]);
    expect(taken.offset).toBe(row(1).length + 1);
  });

  test("two rows on one line are two rows, even where the line is longer than a record may be (B2)", () => {
    const large = (n: number): string => JSON.stringify({ n, pad: "x".repeat(700_000) });
    const bytes = bytesOf(`${large(1)}${large(2)}\n${row(3)}\n`);
    expect(numbers(readAll(bytes))).toEqual([1, 2, 3]);
    expect(readAll(bytes, 4096)).toEqual(readAll(bytes));
  });
});

describe("rows of LoopX itself (B3)", () => {
  const own = (event: string, store?: string): string =>
    JSON.stringify({ n: event, loopx_event: event, ...(store !== undefined && { loopx_store: `${store}/1` }) });

  test("are set apart and not counted", () => {
    const taken = readAll(bytesOf(`${own("alpha/2", "s1")}\n${row(1)}\n${own("alpha/3")}\n`));
    expect(numbers(taken)).toEqual([1]);
    expect(taken.raw_records).toBe(1);
    expect(taken.own.map(({ event, line }) => [event, line])).toEqual([
      ["alpha/2", 1],
      ["alpha/3", 3],
    ]);
  });

  test("of another store, of another goal or with a name that is none are facts of others", () => {
    const lines = [own("alpha/2", "s2"), own("beta/1/2", "s1"), own("alpha/0/2", "s1"), own("alpha", "s1")];
    expect(readAll(bytesOf(`${lines.join("\n")}\n`))).toMatchObject({ raw_records: 4, own: [] });
  });
});

const piece = fc.oneof(
  fc.nat(60).map((n) => bytesOf(`${row(n)}\n`)),
  fc.nat(60).map((n) => bytesOf(row(n))),
  fc
    .constantFrom("\n", "\r\n", "{", "}", '"', "\\", "[1]\n", "NaN", "é", "\uFEFF", "  ", '{"a":"\\\\"}', '{"a":"}\\""}')
    .map(bytesOf),
  fc.uint8Array({ maxLength: 6 }),
);
const soup = fc.array(piece, { maxLength: 25 }).map((parts) => new Uint8Array(parts.flatMap((part) => [...part])));

describe("properties", () => {
  test("any split into pieces gives the same (R2)", () => {
    fc.assert(
      fc.property(soup, fc.integer({ min: 1, max: 50 }), (bytes, size) => {
        expect(readAll(bytes, size)).toEqual(readAll(bytes));
      }),
      { numRuns: 500 },
    );
  });

  test("coming back at any lengths of a growing file gives the same (R2, B1)", () => {
    fc.assert(
      fc.property(soup, fc.array(fc.nat(400), { maxLength: 6 }), (bytes, cuts) => {
        const lengths = cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b);
        expect(readGrowing(bytes, lengths)).toEqual(readAll(bytes));
      }),
      { numRuns: 500 },
    );
  });

  test("no damage costs a good line (L2)", () => {
    const bad = fc
      .uint8Array({ maxLength: 40 })
      .map((bytes) => bytes.filter((byte) => byte !== 0x0a))
      .map((bytes) => new Uint8Array([...bytes, 0x0a]));
    const lines = fc.array(fc.oneof(fc.nat(1_000_000), bad), { maxLength: 20 });
    fc.assert(
      fc.property(lines, (parts) => {
        const bytes = parts.flatMap((part) => (typeof part === "number" ? [...bytesOf(`${row(part)}\n`)] : [...part]));
        const good = parts.filter((part) => typeof part === "number");
        expect(numbers(readAll(new Uint8Array(bytes))).filter((n) => typeof n === "number")).toEqual(good);
      }),
    );
  });
});
