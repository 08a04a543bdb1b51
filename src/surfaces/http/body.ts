/**
 * The body of a write: bytes that arrive as they like, to a value that its schema admits.
 *
 * Y1  JSON as UTF-8 and nothing else: another media type or an encoding is 415 before a byte is read.
 * Y2  No more than `LARGEST_BODY` bytes are kept, whatever was announced.
 * Y3  Hostile JSON is an answer: nesting is bounded, a key that is there twice is refused, `__proto__` is a field that is not known.
 * Y4  A field that the schema does not name is refused with the one that was probably meant.
 */
import type { z } from "@hono/zod-openapi";
import { nearest } from "../../core/near.ts";
import type { JsonDocument, JsonObject, JsonValue } from "../../core/registry/json-node.ts";
import { positionAt } from "../../core/registry/json-position.ts";
import { parseJsonText } from "../../core/registry/json-text.ts";
import { type BadInput, done, type Reply, reject } from "../../core/result.ts";
import { bodyTooLarge, LARGEST_BODY, type RequestFacts } from "./guard.ts";
import { printable } from "./printable.ts";

const JSON_MEDIA = /^application\/json *(?:; *charset="?utf-8"? *)?$/i;

/** Y1. Null: it can be read. */
export function mediaFlaw({ header }: RequestFacts): BadInput | null {
  const encoding = header("content-encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    return reject("unsupported_media_type", `a body encoded as ${printable(encoding)} is not read; send it as it is`);
  }
  const media = header("content-type");
  if (media !== undefined && JSON_MEDIA.test(media.trim())) return null;
  const sent = media === undefined ? "without a Content-Type" : `of type "${printable(media)}"`;
  return reject("unsupported_media_type", `a body ${sent} is not read; send JSON, with Content-Type: application/json`);
}

/** Y2. */
export async function readBody(body: ReadableStream<Uint8Array> | null): Promise<Reply<string>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      size += chunk.byteLength;
      if (size > LARGEST_BODY) return bodyTooLarge();
      chunks.push(chunk);
    }
  } catch {
    return reject("body_incomplete", "the body did not arrive whole");
  }
  return decoded(Buffer.concat(chunks));
}

function decoded(bytes: Uint8Array): Reply<string> {
  try {
    return done(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return reject("malformed_json", "the body is not UTF-8");
  }
}

/** Y3, Y4. */
export function parseBody<Schema extends z.ZodObject>(text: string, schema: Schema): Reply<z.output<Schema>> {
  const document = parseJsonText(text);
  if (!document.ok) {
    const { code, message, line, column } = document.problem;
    return reject("malformed_json", `the body is no JSON: ${message} (line ${line}, column ${column})`, {
      problems: [{ path: "body", line, column, code, message }],
    });
  }
  const flaw = shapeFlaw(document, Object.keys(schema.shape));
  if (flaw !== null) return flaw;
  const parsed = schema.safeParse(document.value);
  return parsed.success ? done(parsed.data) : fieldFlaws(parsed.error.issues);
}

function shapeFlaw(document: JsonDocument, known: readonly string[]): BadInput | null {
  const { value } = document;
  if (!isObject(value)) return reject("body_not_object", "the body is a JSON object; {} where there is nothing to say");
  const [twice] = document.repeated_keys;
  if (twice !== undefined) {
    const message = `"${printable(twice.key)}" is there twice; which one is meant cannot be told`;
    const place = positionAt(document.text, twice.offset);
    return reject("repeated_field", message, { problems: [{ path: "body", ...place, code: "repeated_field", message }] });
  }
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return null;
  const near = nearest(unknown.replaceAll("-", "_"), known);
  return reject("unknown_field", `there is no field "${printable(unknown)}"; this route takes ${known.join(", ")}`, { near });
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldFlaws(issues: readonly z.core.$ZodIssue[]): BadInput {
  const problems = issues.map(({ path, message }) => ({
    path: printable(path.join(".")),
    code: "invalid_field",
    message: printable(message),
  }));
  const [first] = problems;
  return reject("invalid_field", `"${first?.path}" cannot be used: ${first?.message}`, { problems });
}
