/** The run files of one goal in memory: tests change the index, and see what was opened and read. */
import { createHash } from "node:crypto";
import { type Instant, parseInstant } from "../../src/core/instant.ts";
import type { Damage } from "../../src/core/runs/run.ts";
import type { IndexFacts, OpenIndex, RunFiles } from "../../src/ports/run-files.ts";

export const INDEX_CHANGED = parseInstant("2026-11-30T10:00:00Z") as Instant;

const FAILED: Damage = { code: "unreadable", line: 0, message: "EIO" };

/** One index file that tests change, and what was done to it. */
export class FakeRunFiles implements RunFiles {
  bytes: Uint8Array | null = new Uint8Array(0);
  broken: Damage | null = null;
  /** Reads from this offset on fail. */
  failsAt = Number.POSITIVE_INFINITY;
  file = 1;
  version = 0;
  readonly opened: number[] = [];
  readonly read: number[] = [];

  set(text: string | Uint8Array): this {
    this.bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    this.version += 1;
    return this;
  }

  has(): boolean {
    return false;
  }

  append(text: string): this {
    return this.set(Buffer.concat([this.bytes ?? new Uint8Array(0), Buffer.from(text)]));
  }

  probe(): ReturnType<RunFiles["probe"]> {
    if (this.broken !== null) return { kind: "damaged", damage: this.broken };
    return this.bytes === null ? { kind: "missing" } : { kind: "found", facts: this.#facts(this.bytes) };
  }

  open(): ReturnType<RunFiles["open"]> {
    if (this.broken !== null) return { kind: "damaged", damage: this.broken };
    if (this.bytes === null) return { kind: "missing" };
    this.opened.push(this.version);
    return this.#open(this.bytes);
  }

  #open(bytes: Uint8Array): OpenIndex {
    return {
      kind: "open",
      facts: this.#facts(bytes),
      read: (from, length) => {
        if (from + length > this.failsAt) return FAILED;
        const part = bytes.subarray(from, from + length);
        if (part.length > 0) this.read.push(part.length);
        return part;
      },
      sha256: (from, to) => (to > this.failsAt ? FAILED : createHash("sha256").update(bytes.subarray(from, to)).digest("hex")),
      close: () => undefined,
    };
  }

  #facts(bytes: Uint8Array): IndexFacts {
    return {
      path: "/r/index.jsonl",
      file: String(this.file),
      version: String(this.version),
      size: bytes.length,
      modified_at: INDEX_CHANGED,
    };
  }
}
