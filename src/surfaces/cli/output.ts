/** Answers and errors in the form that was asked for: data on stdout, words on stderr. */

import { loopxCommand } from "../../core/command-line.ts";
import { type BadInput, reject } from "../../core/result.ts";
import { withoutHostile } from "../../core/show/escape.ts";
import { printJson } from "../../core/show/print-json.ts";
import type { Shown } from "./command.ts";
import type { Options } from "./given.ts";
import { booleanWord, lex } from "./lex.ts";
import { type No, noAsPayload, noAsWords } from "./no.ts";
import type { Sink } from "./sink.ts";

export type Form = "markdown" | "json";

/** From the bare arguments, because an error may come before they are understood; the last word counts. */
export function formOf(argv: readonly string[]): Form {
  let form: Form = "markdown";
  for (const { name, raw } of lex(argv).options) {
    if (name === "json" && (raw === null || booleanWord(raw) === true)) form = "json";
    if (name === "format" && (raw === "json" || raw === "markdown")) form = raw;
  }
  return form;
}

/** `--json` beside `--format markdown`. */
export function formConflict(options: Options, argv: readonly string[]): BadInput | null {
  if (!options.flag("json") || options.text("format") !== "markdown") return null;
  const fix = loopxCommand(...argv.filter((token) => token !== "--json"));
  return reject("option_conflict", "--json and --format markdown ask for two forms", { fix });
}

export interface Out {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly form: Form;
}

export async function putShown(out: Out, shown: Shown): Promise<void> {
  const json = shown.form === "line" ? jsonLine : printJson;
  const text = out.form === "json" ? json(shown.payload) : withoutHostile(lineEnded(shown.markdown()));
  await out.stdout.write(text);
}

export async function putNo(out: Out, no: No): Promise<void> {
  if (out.form === "json") await out.stdout.write(printJson(noAsPayload(no)));
  else await out.stderr.write(noAsWords(no));
}

/** One line: outside its strings, JSON may break nowhere or anywhere, and strings hold no line feeds. */
export function jsonLine(payload: object): string {
  return `${printJson(payload).trimEnd().replace(/,\n */g, ", ").replace(/\n */g, "")}\n`;
}

function lineEnded(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
