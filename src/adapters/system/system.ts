/** Wall clock, randomness and digests of this machine. */
import type { TodoId } from "../../core/id.ts";
import { type Instant, instantFromEpoch } from "../../core/instant.ts";
import { Fault } from "../../errors.ts";
import type { Clock, Digest, Ids } from "../../ports/system.ts";

export const systemClock: Clock = { now };

function now(): Instant {
  const instant = instantFromEpoch(Date.now());
  if (instant === null)
    throw new Fault({ code: "clock_unusable", message: "The clock of this machine shows no year from 0000 to 9999." });
  return instant;
}

/** Node's `crypto` loads its streams with it: it is fetched when it is needed. */
function crypto(): typeof import("node:crypto") {
  return process.getBuiltinModule("node:crypto");
}

export const systemDigest: Digest = {
  sha256: (text) => crypto().createHash("sha256").update(text, "utf8").digest("hex"),
};

/** Base 32 without letters that look alike; 60 bits. */
export const systemIds: Ids = {
  todoId: () => `todo_${suffix()}` as TodoId,
  suffix,
};

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

function suffix(): string {
  return Array.from(crypto().randomBytes(12), (byte) => ALPHABET[byte % 32]).join("");
}
