/**
 * Output to a file descriptor.
 *
 * Does not own: what is written and in which form.
 *
 * S1  When `write` resolves, every byte has left the process; a slow reader is waited for, also on a non-blocking pipe.
 * S2  A reader that has gone away is no error: the rest is dropped, `closed` says so, and the exit status stays the command's.
 * S3  Any other failure to write is a fault, so that an answer that did not arrive never looks like one that did; on stderr, where
 *     it would be told, it is dropped.
 * S4  The streams of `process` are not touched: loading them costs a tenth of a bare start.
 */
import { write as writeTo } from "node:fs";
import { Fault } from "../../errors.ts";

export interface Sink {
  write(text: string): Promise<void>;
  readonly closed: boolean;
  /** Runs once, when the reader has gone away. */
  onClosed(listener: () => void): void;
}

/** The code of S3. */
export const OUTPUT_FAILED = "output_failed";

type Written = { readonly kind: "bytes"; readonly count: number } | { readonly kind: "full" } | { readonly kind: "gone" };

const STDERR = 2;
const FULL_WAIT_MS = 5;

export function fdSink(fd: number): Sink {
  let queue: Promise<void> = Promise.resolve();
  let closed = false;
  let listener: () => void = () => undefined;
  const close = (): void => {
    closed = true;
    listener();
  };
  const put = async (bytes: Uint8Array): Promise<void> => {
    let rest = bytes;
    while (rest.length > 0 && !closed) {
      const written = await writeSome(fd, rest);
      if (written.kind === "gone") close();
      else if (written.kind === "full") await pause();
      else rest = rest.subarray(written.count);
    }
  };
  return {
    get closed() {
      return closed;
    },
    onClosed: (then) => {
      listener = then;
    },
    write: (text) => {
      queue = queue.then(() => put(Buffer.from(text)));
      return queue;
    },
  };
}

function writeSome(fd: number, bytes: Uint8Array): Promise<Written> {
  return new Promise((resolve, reject) => {
    writeTo(fd, bytes, 0, bytes.length, null, (error, count) => {
      if (error === null) resolve({ kind: "bytes", count });
      else if (error.code === "EAGAIN") resolve({ kind: "full" });
      else if (fd === STDERR || isGone(error.code)) resolve({ kind: "gone" });
      else reject(outputFailed(error));
    });
  });
}

/** S2. `EBADF`: started with the descriptor closed. */
function isGone(code: string | undefined): boolean {
  return code === "EPIPE" || code === "ECONNRESET" || code === "EBADF";
}

/** S3. */
function outputFailed(cause: Error): Fault {
  return new Fault({
    code: OUTPUT_FAILED,
    message: "The answer could not be written to standard output",
    hint: "Write it somewhere else; the command itself was carried out",
    cause,
  });
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, FULL_WAIT_MS));
}
