/**
 * Who has shown the token (`Authorization: Bearer …`).
 *
 * Does not own: where the token is kept (`adapters/files/token-file.ts`), which pages may ask at all (`guard.ts`).
 *
 * X1  Writes need the token, and reads of what its owner alone can read on the disk; where all reads need it too, everything does but `/healthz`, which then says no more than whether it is well.
 * X2  What was sent is compared in constant time, whatever its length and however much of it is right.
 * X3  Neither the token nor what was sent for it is ever logged or answered.
 */
import { createHash, timingSafeEqual } from "node:crypto";
import { type Refusal, refuse } from "../../core/result.ts";
import type { RequestFacts } from "./guard.ts";

export type Reads = "open" | "with_token";

export interface Access {
  readonly reads: Reads;
  /** Null: the token was shown. */
  bar(facts: RequestFacts): Refusal | null;
}

const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/** `token: null`: this server has none, and so takes no writes. */
export function accessWith(token: string | null, reads: Reads): Access {
  const wanted = token === null ? null : digest(token);
  return {
    reads,
    bar: ({ header }) => {
      if (wanted === null)
        return refuse("no_token", "this needs the token, and this server has none: it could make none when it started");
      const sent = header("authorization");
      if (sent === undefined) return refuse("token_required", `this needs the token that loopx serve shows: ${HOW}`);
      const shown = BEARER.exec(sent)?.[1] ?? "";
      return timingSafeEqual(digest(shown), wanted) ? null : refuse("token_wrong", `this is not the token: ${HOW}`); // (X2)
    },
  };
}

const HOW = "send Authorization: Bearer TOKEN, with the content of serve-token in the runtime root";

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
