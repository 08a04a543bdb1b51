/** Requests made from the schemas of a route: paths, queries and bodies, right and wrong. */
import { z } from "@hono/zod-openapi";
import fc from "fast-check";
import { PARAMETERS, type ParameterName } from "../../src/schema/http/parameters.ts";

/** As far as the schemas of the routes use it. */
interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

const word = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
  fc.constantFrom("alpha", "beta", "todo_ground", "builder", "progress", "goals/alpha/ACTIVE_GOAL_STATE.md", "../../etc/passwd"),
);

function arbitraryOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(arbitraryOf));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (typeof schema.type === "object") return fc.oneof(...schema.type.map((type) => arbitraryOf({ ...schema, type })));
  switch (schema.type) {
    case "string":
      return schema.pattern === undefined ? word : fc.stringMatching(new RegExp(schema.pattern));
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.integer({ ...(schema.minimum !== undefined && { min: schema.minimum }) });
    case "number":
      return fc.double({ noNaN: true, noDefaultInfinity: true, min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9 });
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(arbitraryOf(schema.items ?? {}), { maxLength: 4 });
    case "object":
      return objectOf(schema);
    default:
      return fc.jsonValue();
  }
}

/** Of a field with this name: what there is. */
const THERE: Readonly<Record<string, readonly unknown[]>> = {
  agent_id: ["builder"],
  to: ["helper"],
  todo_id: ["todo_ground"],
  lease_epoch: [1],
  ttl_seconds: [1, 60],
  turn_instance_id: ["turn-1", "turn-2"],
};

function fieldOf(name: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  const there = THERE[name];
  const any = arbitraryOf(schema);
  return there === undefined ? any : fc.oneof({ arbitrary: fc.constantFrom(...there), weight: 3 }, { arbitrary: any, weight: 2 });
}

/** With any of its fields, with few (many at once seldom go together), or with those that name what there is. */
function objectOf({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<object> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, fieldOf(name, schema)]));
  const optional = Object.keys(fields).filter((name) => !required.includes(name));
  const few = fc.subarray(optional, { maxLength: Math.min(3, optional.length) }).chain((chosen) => {
    const names = [...required, ...chosen];
    return fc.record(Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name))));
  });
  const there = Object.fromEntries(
    Object.entries(fields).flatMap(([name, any]) => {
      const values = THERE[name];
      if (values !== undefined) return [[name, fc.constantFrom(...values)]];
      return required.includes(name) ? [[name, any]] : [];
    }),
  );
  return fc.oneof(fc.record(fields, { requiredKeys: [...required] }), few, fc.record(there));
}

function schemaOf(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
}

/** What the schema admits, as text. */
export function rightBody(schema: z.ZodObject): fc.Arbitrary<string> {
  return objectOf(schemaOf(schema))
    .filter((body) => schema.safeParse(body).success)
    .map((body) => JSON.stringify(body));
}

/** What it does not admit, by one step or by many. */
export function wrongBody(schema: z.ZodObject): fc.Arbitrary<string> {
  const json = schemaOf(schema);
  const right = objectOf(json);
  const names = Object.keys(json.properties ?? {});
  const oddName = fc.oneof(fc.constantFrom("__proto__", "constructor", "dryRun", "goal-id", ""), fc.string({ unit: "binary" }));
  const more = fc
    .tuple(right, oddName, fc.jsonValue())
    .map(([body, name, value]) => ({ ...body, ...JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`) }));
  const other = fc
    .tuple(right, fc.constantFrom(...names), fc.oneof(fc.integer(), fc.jsonValue(), fc.constant("\u0000")))
    .map(([body, name, value]) => ({ ...body, [name]: value }));
  const less = fc
    .tuple(right, fc.constantFrom(...names))
    .map(([body, name]) => Object.fromEntries(Object.entries(body).filter(([key]) => key !== name)));
  const wrong = fc
    .oneof(more, other, less, fc.jsonValue())
    .filter((body) => !schema.safeParse(body).success)
    .map((body) => JSON.stringify(body));
  const broken = right.chain((body) => {
    const text = JSON.stringify(body);
    return fc.nat({ max: text.length - 1 }).map((at) => text.slice(0, at));
  });
  return fc.oneof(wrong, broken, fc.constantFrom("", "nil", "{}{}", "[".repeat(60_000), `{"a":1,"a":2}`));
}

const oddSegment = fc.oneof(
  fc.string({ unit: "binary", minLength: 1 }).map(encoded),
  fc.constantFrom("..", "%2e%2e", "..%2f..", "%252e", "%00", "%zz", "con", "a%5Cb", "%E2%80%AEx", "nobody"),
);

/** Ids that there are, by the name in the pattern. */
export type KnownIds = Readonly<Record<string, readonly string[]>>;

/** With ids that there are, mostly. */
export function pathOf(pattern: string, known: KnownIds): fc.Arbitrary<string> {
  const segmentOf = (name: string) =>
    fc.oneof(
      { arbitrary: fc.constantFrom(...(known[name] ?? [])).map(encodeURIComponent), weight: 4 },
      { arbitrary: oddSegment, weight: 1 },
    );
  const parts = pattern.split("/").map((part) => (part.startsWith("{") ? segmentOf(part.slice(1, -1)) : fc.constant(part)));
  return fc.tuple(...parts).map((segments) => segments.join("/"));
}

/** Halves of surrogate pairs have no UTF-8. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));
}

export function queryOf(names: readonly ParameterName[]): fc.Arbitrary<string> {
  const odd = fc.tuple(fc.oneof(fc.constantFrom("__proto__", "limit", "all"), fc.string()), fc.string());
  const pairs = names.map((name) =>
    fc.tuple(fc.constant(name), fc.oneof(arbitraryOf(schemaOf(PARAMETERS[name].schema)), fc.integer({ min: 1, max: 20 }))),
  );
  const some = pairs.length === 0 ? fc.constant([]) : fc.subarray(pairs).chain((chosen) => fc.tuple(...chosen));
  const query = fc.oneof({ arbitrary: some, weight: 3 }, { arbitrary: fc.array(odd, { maxLength: 3 }), weight: 1 });
  return query.map((given) => {
    const text = given.map(([name, value]) => `${encoded(String(name))}=${encoded(String(value))}`).join("&");
    return text === "" ? "" : `?${text}`;
  });
}
