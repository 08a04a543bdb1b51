/** The recorded cases as their files describe them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { at, type Json, listAt, numberAt, parseJson, textAt } from "./json.ts";

export interface Step {
  readonly name: string;
  /** Null: a change made by hand, described in words. */
  readonly argv: readonly string[] | null;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly exit: number;
  readonly stdout: string;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export interface Exchange {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly status: number;
  readonly answer: Json;
  readonly answer_headers: Json;
}

export interface RecordedCase {
  readonly name: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly exchanges: readonly Exchange[];
}

const ROOT = join(process.env["LOOPX_REFERENCE_CASES"] ?? "", "upstream");

export function recordedCases(): readonly RecordedCase[] {
  if (!existsSync(ROOT)) return [];
  const folders = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map((entry) => readCase(entry.name)).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readCase(name: string): RecordedCase {
  const folder = join(ROOT, name);
  const record = readJson(join(folder, "case.json"));
  const env = textsOf(at(record, "env"));
  return {
    name,
    folder,
    env,
    steps: listAt(record, "steps").map((step) => readStep(step, { folder, env })),
    exchanges: listAt(record, "exchanges").map((exchange) => readExchange(exchange, folder)),
  };
}

function readStep(step: Json, { folder, env }: { readonly folder: string; readonly env: Record<string, string> }): Step {
  const file = textAt(step, "stdout");
  const argv = at(step, "argv");
  return {
    name: textAt(step, "name") ?? "",
    argv: argv === null ? null : listAt(step, "argv").map(String),
    cwd: textAt(step, "cwd") ?? "",
    env: { ...env, ...textsOf(at(step, "env")) },
    exit: numberAt(step, "exit_code") ?? 0,
    stdout: file === null ? "" : readFileSync(join(folder, file), "utf8"),
    added: listAt(step, "files", "added").map(String),
    changed: listAt(step, "files", "changed").map(String),
    removed: listAt(step, "files", "removed").map(String),
  };
}

function readExchange(exchange: Json, folder: string): Exchange {
  const file = textAt(exchange, "body_file");
  const body = at(exchange, "request", "body");
  return {
    name: textAt(exchange, "name") ?? "",
    method: textAt(exchange, "request", "method") ?? "GET",
    path: textAt(exchange, "request", "path") ?? "/",
    headers: textsOf(at(exchange, "request", "headers")),
    body: textAt(exchange, "request", "raw_body") ?? (body === null ? null : JSON.stringify(body)),
    status: numberAt(exchange, "status") ?? 0,
    answer: file === null ? at(exchange, "body") : readJson(join(folder, file)),
    answer_headers: at(exchange, "response_headers"),
  };
}

function readJson(path: string): Json {
  return parseJson(readFileSync(path, "utf8"));
}

function textsOf(value: Json): Record<string, string> {
  return Object.fromEntries(Object.entries(value ?? {}).map(([key, text]) => [key, String(text)]));
}
