/** Wall clock, randomness and digests of this machine. */
import { createHash, randomBytes } from "node:crypto";
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

export const systemDigest: Digest = {
  sha256: (text) => createHash("sha256").update(text, "utf8").digest("hex"),
};

/** Base 32 without letters that look alike; 60 bits. */
export const systemIds: Ids = {
  todoId: () => `todo_${suffix()}` as TodoId,
  suffix,
};

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

function suffix(): string {
  return Array.from(randomBytes(12), (byte) => ALPHABET[byte % 32]).join("");
}
