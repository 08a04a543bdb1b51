/** An answer before it is a response: the same record is written by hono and by the short way for `/status`. */
import { printJson } from "../../core/show/print-json.ts";
import { isKnown, type Prepared, type Representation } from "./prepared.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

export const JSON_TYPE = "application/json; charset=utf-8";

/** Nothing here is a page: it is neither framed, sniffed nor embedded by another site. */
export const SECURITY: Readonly<Record<string, string>> = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
};

const VARY = "Accept-Encoding, Origin";

/** What a request says about the form of its answer. */
export interface Wanted {
  readonly acceptEncoding: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

export async function preparedAnswer(prepared: Prepared, { acceptEncoding, ifNoneMatch }: Wanted): Promise<Answer> {
  const representation = await prepared.represent(acceptEncoding);
  const { whole, unchanged } = answersOf(representation);
  return isKnown(ifNoneMatch, representation.etag) ? unchanged : whole;
}

interface Answers {
  readonly whole: Answer;
  readonly unchanged: Answer;
}

/** Made once for each representation: most requests make nothing. */
const made = new WeakMap<Representation, Answers>();

function answersOf(representation: Representation): Answers {
  const known = made.get(representation);
  if (known !== undefined) return known;
  const { encoding, etag, bytes } = representation;
  const shared = { ...SECURITY, etag, "cache-control": "private, no-cache", vary: VARY };
  const encoded = encoding === "identity" ? null : { "content-encoding": encoding };
  const headers = { ...shared, "content-type": JSON_TYPE, "content-length": String(bytes.byteLength), ...encoded };
  const answers = { whole: { status: 200, headers, body: bytes }, unchanged: { status: 304, headers: shared, body: null } };
  made.set(representation, answers);
  return answers;
}

/** For what is true of this moment alone. */
export function momentary(status: number, value: object, extra: Readonly<Record<string, string>> = {}): Answer {
  const body = new TextEncoder().encode(printJson(value));
  const headers = {
    ...SECURITY,
    "content-type": JSON_TYPE,
    "content-length": String(body.byteLength),
    "cache-control": "no-store",
    vary: "Origin",
    ...extra,
  };
  return { status, headers, body };
}

export function responseOf({ status, headers, body }: Answer): Response {
  return new Response(body as Uint8Array<ArrayBuffer> | null, { status, headers });
}
