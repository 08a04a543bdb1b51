/**
 * The acceptance checks that a todo declares in its metadata: what has to pass before it is done.
 *
 * Does not own: how a command line is divided (`command-words.ts`), what may be run (`argv.ts`), running it.
 *
 * A1  `validation_command` or `validation_command_argv`, with `validation_label` and `validation_timeout_seconds`, declares one
 *     check, as in the reference; `validation_checks` declares any number.
 * A2  One flaw and there are no checks: what cannot be understood is never passed over and never taken for "nothing to check".
 */
import { shorten } from "../shorten.ts";
import { argvFlaw, isUnprintable } from "./argv.ts";
import { DEFAULT_CAPABILITY, parseCapability } from "./capability.ts";
import { splitCommand } from "./command-words.ts";
import { parseInput } from "./input-pattern.ts";

export interface Check {
  readonly label: string;
  readonly argv: readonly string[];
  readonly timeout_seconds: number;
  /** What the outcome depends on, from the working folder; null: everything in it. */
  readonly inputs: readonly string[] | null;
  readonly capability: string;
}

export interface CheckFlaw {
  /** The key, with the place in its value: `validation_checks[1].argv`. */
  readonly key: string;
  readonly code: "bad_check_command" | "bad_check_field" | "bad_check_json" | "check_without_command" | "too_many_checks";
  readonly message: string;
}

export type Acceptance =
  | { readonly kind: "checks"; readonly checks: readonly Check[] }
  | { readonly kind: "flawed"; readonly flaws: readonly CheckFlaw[] };

const DEFAULT_TIMEOUT_SECONDS = 20;
const MAX_TIMEOUT_SECONDS = 3600;
const MOST_CHECKS = 20;
const MOST_INPUTS = 100;
const MAX_LABEL = 120;
const FIELDS: ReadonlySet<string> = new Set(["argv", "label", "timeout_seconds", "inputs", "capability"]);

/** Collected while one declaration is read. */
type Flaws = CheckFlaw[];

/** Empty when a todo declares none. */
export function parseAcceptance(metadata: Readonly<Record<string, string>>): Acceptance {
  const flaws: Flaws = [];
  const checks = [...single(metadata, flaws), ...several(metadata["validation_checks"], flaws)];
  if (checks.length > MOST_CHECKS) {
    flaws.push({ key: "validation_checks", code: "too_many_checks", message: `There are more than ${MOST_CHECKS} checks.` });
  }
  return flaws.length > 0 ? { kind: "flawed", flaws } : { kind: "checks", checks }; // (A2)
}

/** A1, the reference's keys. */
function single(metadata: Readonly<Record<string, string>>, flaws: Flaws): readonly Check[] {
  const command = singleCommand(metadata, flaws);
  const label = metadata["validation_label"];
  const seconds = metadata["validation_timeout_seconds"];
  if (command === null) {
    const [key] =
      Object.entries({ validation_label: label, validation_timeout_seconds: seconds }).find(([, value]) => value) ?? [];
    if (key !== undefined && !("validation_command" in metadata) && !("validation_command_argv" in metadata)) {
      flaws.push({ key, code: "check_without_command", message: `${key} is given, and no validation_command.` });
    }
    return [];
  }
  const timeout = seconds === undefined ? undefined : /^[0-9]{1,6}$/.test(seconds) ? Number(seconds) : seconds;
  return [
    {
      argv: command,
      label: labelOf(label, { argv: command, key: "validation_label", flaws }),
      timeout_seconds: timeoutOf(timeout, { key: "validation_timeout_seconds", flaws }),
      inputs: null,
      capability: DEFAULT_CAPABILITY,
    },
  ];
}

function singleCommand(metadata: Readonly<Record<string, string>>, flaws: Flaws): readonly string[] | null {
  const { validation_command: line, validation_command_argv: json } = metadata;
  if (line !== undefined && json !== undefined) {
    const message = "validation_command and validation_command_argv are both given: keep one.";
    flaws.push({ key: "validation_command", code: "bad_check_command", message });
    return null;
  }
  if (json !== undefined) {
    const key = "validation_command_argv";
    return argvOf(parseJson(json, { key, flaws }), { key, flaws });
  }
  if (line === undefined) return null;
  const words = isUnprintable(line) ? ({ kind: "flawed", saying: "has a control character" } as const) : splitCommand(line);
  const key = "validation_command";
  if (words.kind === "words") return argvOf(words.words, { key, flaws });
  flaws.push({ key, code: "bad_check_command", message: `The command ${words.saying}.` });
  return null;
}

interface Place {
  readonly key: string;
  readonly flaws: Flaws;
}

const NOT_JSON: unique symbol = Symbol("not JSON");

function parseJson(text: string, { key, flaws }: Place): unknown {
  try {
    return JSON.parse(text);
  } catch {
    flaws.push({ key, code: "bad_check_json", message: `${key} is no JSON.` });
    return NOT_JSON;
  }
}

/** A1, ours. */
function several(text: string | undefined, flaws: Flaws): readonly Check[] {
  if (text === undefined) return [];
  const key = "validation_checks";
  const value = parseJson(text, { key, flaws });
  if (value === NOT_JSON) return [];
  if (!Array.isArray(value)) {
    flaws.push({ key, code: "bad_check_json", message: `${key} is no list.` });
    return [];
  }
  return value.flatMap((each: unknown, at) => declared(each, { key: `${key}[${at}]`, flaws }));
}

function declared(value: unknown, { key, flaws }: Place): readonly Check[] {
  if (!isRecord(value)) {
    flaws.push({ key, code: "bad_check_json", message: `${key} is no object.` });
    return [];
  }
  for (const field of Object.keys(value).filter((each) => !FIELDS.has(each))) {
    flaws.push({ key: `${key}.${field}`, code: "bad_check_field", message: `A check has no field ${JSON.stringify(field)}.` });
  }
  const place = (field: string): Place => ({ key: `${key}.${field}`, flaws });
  const argv = argvOf(value["argv"], place("argv"));
  if (argv === null) return [];
  return [
    {
      argv,
      label: labelOf(value["label"], { argv, ...place("label") }),
      timeout_seconds: timeoutOf(value["timeout_seconds"], place("timeout_seconds")),
      inputs: inputsOf(value["inputs"], place("inputs")),
      capability: capabilityOf(value["capability"], place("capability")),
    },
  ];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function argvOf(value: unknown, { key, flaws }: Place): readonly string[] | null {
  if (value === NOT_JSON) return null;
  const saying = isTexts(value) ? argvFlaw(value) : "is no list of texts";
  if (isTexts(value) && saying === null) return value;
  flaws.push({ key, code: "bad_check_command", message: `The command ${saying}.` });
  return null;
}

/** Adds a flaw, and answers what stands in for the value until the flaws are told. */
function flawed<T>(standIn: T, { key, flaws }: Place, message: string): T {
  flaws.push({ key, code: "bad_check_field", message });
  return standIn;
}

function labelOf(value: unknown, { argv, ...place }: Place & { readonly argv: readonly string[] }): string {
  const line = shorten(argv.join(" "), MAX_LABEL);
  if (value === undefined) return line;
  if (typeof value !== "string" || value.trim() === "") return flawed(line, place, "The label is no text, or empty.");
  if (value.length > MAX_LABEL || isUnprintable(value)) {
    return flawed(line, place, `The label is longer than ${MAX_LABEL} characters or has a control character.`);
  }
  return value;
}

function timeoutOf(value: unknown, place: Place): number {
  if (value === undefined) return DEFAULT_TIMEOUT_SECONDS;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_TIMEOUT_SECONDS) return value;
  return flawed(
    DEFAULT_TIMEOUT_SECONDS,
    place,
    `The time limit is not a whole number of seconds from 1 to ${MAX_TIMEOUT_SECONDS}.`,
  );
}

function inputsOf(value: unknown, place: Place): readonly string[] | null {
  if (value === undefined) return null;
  if (!isTexts(value) || value.length === 0 || value.length > MOST_INPUTS) {
    return flawed(null, place, `The inputs are no list of 1 to ${MOST_INPUTS} paths.`);
  }
  for (const [at, text] of value.entries()) {
    const input = parseInput(text);
    if (input.kind === "flawed") flawed(null, { ...place, key: `${place.key}[${at}]` }, `The input ${input.saying}.`);
  }
  return value;
}

function capabilityOf(value: unknown, place: Place): string {
  if (value === undefined) return DEFAULT_CAPABILITY;
  const capability = typeof value === "string" ? parseCapability(value) : null;
  if (capability !== null) return capability;
  return flawed(DEFAULT_CAPABILITY, place, "The capability is not 1 to 64 of a-z, 0-9, `_`, `:` and `-`, a letter first.");
}
