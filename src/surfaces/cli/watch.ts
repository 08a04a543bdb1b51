/**
 * One answer again and again.
 *
 * W1  An answer is shown when it differs from the one before: to a terminal on a cleared screen, else below the last;
 *     as JSON one object a line.
 * W2  The first no ends the watch; a later one is told once and the watch goes on, because files and stores come back.
 * W3  SIGINT, SIGTERM and a reader that goes away end it; that is how a watch ends, so the exit status is 0.
 */

import { done, type Reply } from "../../core/result.ts";
import { withoutHostile } from "../../core/show/escape.ts";
import { isFault } from "../../errors.ts";
import type { Shown } from "./command.ts";
import { type No, noAsPayload, noAsWords, noOf, noOfFault } from "./no.ts";
import { type Form, jsonLine } from "./output.ts";
import type { Sink } from "./sink.ts";

export interface Watching {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly form: Form;
  readonly clearsScreen: boolean;
  readonly sleep: (milliseconds: number, interrupted: AbortSignal) => Promise<void>;
  readonly interrupted: AbortSignal;
}

const CLEAR = "\u001b[H\u001b[2J";

type Round = () => Promise<Reply<Shown>>;

export async function watch(watching: Watching, seconds: number, round: Round): Promise<Reply<null>> {
  const first = await round();
  if (first.kind !== "done") return first;
  let last = textOf(watching, first.value);
  await put(watching, last);
  let told = "";
  while (!watching.interrupted.aborted && !watching.stdout.closed) {
    await watching.sleep(seconds * 1000, watching.interrupted);
    if (watching.interrupted.aborted) break;
    const answer = await tried(round);
    if (answer.kind === "no") {
      told = await tell(watching, answer.no, told);
      continue;
    }
    told = "";
    const text = textOf(watching, answer.shown);
    if (text !== last) await put(watching, text);
    last = text;
  }
  return done(null);
}

type Tried = { readonly kind: "shown"; readonly shown: Shown } | { readonly kind: "no"; readonly no: No };

/** W2. A bug still ends it. */
async function tried(round: Round): Promise<Tried> {
  try {
    const reply = await round();
    return reply.kind === "done" ? { kind: "shown", shown: reply.value } : { kind: "no", no: noOf(reply) };
  } catch (thrown) {
    if (isFault(thrown)) return { kind: "no", no: noOfFault(thrown) };
    throw thrown;
  }
}

function textOf({ form }: Watching, shown: Shown): string {
  return form === "json" ? jsonLine(shown.payload) : `${withoutHostile(shown.markdown()).trimEnd()}\n`;
}

/** W1. */
async function put(watching: Watching, text: string): Promise<void> {
  const clears = watching.clearsScreen && watching.form === "markdown";
  await watching.stdout.write(clears ? `${CLEAR}${text}` : text);
}

async function tell(watching: Watching, no: No, told: string): Promise<string> {
  const words = watching.form === "json" ? jsonLine(noAsPayload(no)) : noAsWords(no);
  if (words !== told) await (watching.form === "json" ? watching.stdout : watching.stderr).write(words);
  return words;
}
