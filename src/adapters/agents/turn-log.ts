/**
 * Keeps what a host prints: a file for each turn, for its owner alone.
 *
 * Does not own: reading the host's pipes (`process-group.ts`), what a credential looks like (`core/host/mask.ts`).
 *
 * L1  The file and its one predecessor hold no more than `max_bytes` each, whatever is printed: the latest lines stay.
 * L2  Credentials are masked before anything is written.
 * L3  Little is held in memory: while the disk is behind, `isBehind` says so, and the reader has to wait for `caughtUp`.
 * L4  The log never fails a turn: what cannot be written is dropped, and `close` says why.
 * L5  Folder 0700, file 0600; a link in the file's place is not followed.
 * L6  Beside it the logs of the latest turns stay, however many there were; what else lies there is left alone.
 */
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OutputSource } from "../../core/host/host-event.ts";
import { LineMasker } from "../../core/host/mask.ts";
import type { OutputLine } from "../../core/host/output-stream.ts";

const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
const MAX_LINE = 16_384;
const MAX_WAITING = 256 * 1024;
const LINE_FEED = 0x0a;
const TURN_LOG = /^turn-[a-z0-9]+\.log(?:\.1)?$/;
/** Predecessors count, too. */
const MOST_LOGS = 40;

export class TurnLog {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #maskers = { out: new LineMasker(), err: new LineMasker() };
  #waiting: string[] = [];
  #waitingLength = 0;
  #writing: Promise<void> | null = null;
  #file: FileHandle | null = null;
  #size = 0;
  #flaw: string | null = null;

  constructor(path: string, maxBytes: number) {
    this.#path = path;
    this.#maxBytes = maxBytes;
  }

  /** L3. */
  get isBehind(): boolean {
    return this.#waitingLength > MAX_WAITING;
  }

  async caughtUp(): Promise<void> {
    await this.#writing;
  }

  write({ text, cut }: OutputLine, source: OutputSource): void {
    const masked = this.#maskers[source].mask(text.slice(0, MAX_LINE)); // (L2)
    if (masked === null || this.#flaw !== null) return;
    const line = `${source} ${masked}${cut || text.length > MAX_LINE ? " …" : ""}\n`;
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    this.#writing ??= this.#writeAll();
  }

  /** Why lines are missing; null when all are there. */
  async close(): Promise<string | null> {
    await this.#writing;
    await this.#closeFile();
    return this.#flaw;
  }

  async #writeAll(): Promise<void> {
    // Lines that come together are written together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const bytes = Buffer.from(this.#waiting.join(""));
      this.#waiting = [];
      this.#waitingLength = 0;
      await this.#append(bytes).catch((error: unknown) => this.#giveUp(error));
    }
    this.#writing = null;
  }

  /** L1. */
  async #append(bytes: Buffer): Promise<void> {
    const kept = tailOf(bytes, this.#maxBytes);
    const file = this.#file ?? (await this.#open());
    const fits = this.#size + kept.length <= this.#maxBytes;
    await (fits ? file : await this.#turnOver()).appendFile(kept);
    this.#size += kept.length;
  }

  /** L5. */
  async #open(): Promise<FileHandle> {
    const folder = dirname(this.#path);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await dropOldest(folder).catch(() => {}); // (L4)
    this.#file = await open(this.#path, FLAGS, 0o600);
    this.#size = (await this.#file.stat()).size;
    return this.#file;
  }

  async #turnOver(): Promise<FileHandle> {
    await this.#closeFile();
    await rename(this.#path, `${this.#path}.1`);
    return await this.#open();
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close().catch((error: unknown) => this.#giveUp(error));
  }

  /** L4. */
  #giveUp(error: unknown): void {
    this.#flaw ??= error instanceof Error && "code" in error ? String(error.code) : "EIO";
    this.#waiting = [];
    this.#waitingLength = 0;
  }
}

/** Whole lines of the end. */
function tailOf(bytes: Buffer, limit: number): Buffer {
  if (bytes.length <= limit) return bytes;
  const tail = bytes.subarray(bytes.length - limit);
  return tail.subarray(tail.indexOf(LINE_FEED) + 1);
}

/** L6. */
async function dropOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => TURN_LOG.test(name));
  if (names.length < MOST_LOGS) return;
  const aged = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })));
  const oldestFirst = aged.sort((one, other) => one.at - other.at);
  for (const { name } of oldestFirst.slice(0, names.length - MOST_LOGS + 1)) await rm(join(folder, name), { force: true });
}
