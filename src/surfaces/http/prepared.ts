/**
 * Bytes of one answer, made once: as they are, gzip and brotli, each with its strong entity tag.
 *
 * Y1  Equal tags mean equal bytes, also after a restart: a tag is made from the text and the encoding.
 * Y2  Each encoding is made when it is first asked for, and kept.
 * Y3  A text above `LARGE` is compressed off the event loop, by gzip alone.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompressSync, constants, gzip, gzipSync } from "node:zlib";

const SMALL = 512;
const LARGE = 262_144;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } };
const gzipApart = promisify(gzip);

export type Encoding = "identity" | "gzip" | "br";

export interface Representation {
  readonly encoding: Encoding;
  readonly etag: string;
  readonly bytes: Uint8Array;
}

export interface Prepared {
  readonly size: number;
  /** For one `Accept-Encoding`. */
  represent(accepted: string | undefined): Representation | Promise<Representation>;
}

export function prepare(text: string): Prepared {
  const identity = Buffer.from(text);
  const hash = createHash("sha256").update(identity).digest("base64url").slice(0, 22);
  const made = new Map<Encoding, Representation | Promise<Representation>>();
  return {
    size: identity.length,
    represent: (accepted) => {
      const encoding = chooseEncoding(accepted, identity.length);
      const known = made.get(encoding);
      if (known !== undefined) return known; // (Y2)
      const fresh = encode(identity, encoding, hash);
      made.set(encoding, fresh);
      return fresh;
    },
  };
}

function encode(identity: Buffer, encoding: Encoding, hash: string): Representation | Promise<Representation> {
  const etag = `"${hash}${encoding === "identity" ? "" : `-${encoding}`}"`; // (Y1)
  if (encoding === "identity") return { encoding, etag, bytes: identity };
  if (encoding === "br") return { encoding, etag, bytes: brotliCompressSync(identity, BROTLI) };
  if (identity.length <= LARGE) return { encoding, etag, bytes: gzipSync(identity) };
  return gzipApart(identity, { level: 1 }).then((bytes) => ({ encoding, etag, bytes })); // (Y3)
}

/** What is refused (`q=0`) is never chosen; of the others the smallest that is worth its time. */
function chooseEncoding(accepted: string | undefined, size: number): Encoding {
  if (accepted === undefined || accepted === "" || size < SMALL) return "identity";
  const weights = new Map(accepted.toLowerCase().split(",", 20).map(weightOf));
  const takes = (encoding: string): boolean => (weights.get(encoding) ?? weights.get("*") ?? 0) > 0;
  if (takes("br") && size <= LARGE) return "br";
  return takes("gzip") ? "gzip" : "identity";
}

function weightOf(part: string): readonly [name: string, weight: number] {
  const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
  const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  return [name, quality === undefined ? 1 : Number(quality) || 0];
}

/** Does `If-None-Match` name this tag? Weak tags compare as strong ones: the bytes were the same. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  return ifNoneMatch.split(",").some((part) => {
    const tag = part.trim().replace(/^W\//, "");
    return tag === etag || tag === "*";
  });
}
