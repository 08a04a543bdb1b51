/**
 * The command of a todo or goal, `run`: a list of arguments, as JSON text.
 *
 * Does not own: starting it (`adapters/agents`), and whether the program is there.
 *
 * A1  Arguments are a list from the start to the program that gets them: a text that a shell would have to take apart is refused, and
 *     nothing in an argument means anything to anybody but the program.
 * A2  What a program cannot be given as it stands (U+0000, half a surrogate pair) is refused, and so is what no system would start.
 * A3  A program whose name begins with a dash is refused: whoever starts programs for us would take it for an option.
 */
import type { JsonValue } from "../registry/json-node.ts";
import { lineStartsOf, positionIn, type TextPosition } from "../registry/json-position.ts";
import { parseJsonText } from "../registry/json-text.ts";
import { type BadInput, done, type Problem, type Reply, reject } from "../result.ts";
import { unstorableFlaw } from "./text-flaw.ts";

declare const brand: unique symbol;

/** At least a program (A1 to A3). Made by `parseRunArgv` and `checkRunArgv` alone. */
export type RunArgv = readonly [string, ...string[]] & { readonly [brand]: "RunArgv" };

export const MAX_ARGUMENTS = 64;
export const MAX_ARGUMENT_LENGTH = 4096;
export const MAX_RUN_LENGTH = 16_384;
const EXAMPLE = '["npm","test"]';

/** `path` names the option or field that holds the text. */
export function parseRunArgv(text: string, path = "run"): Reply<RunArgv> {
  if (text.length > MAX_RUN_LENGTH) return invalid([tooLong(path)]);
  const parsed = parseJsonText(text);
  if (!parsed.ok) {
    const { line, column } = parsed.problem;
    return invalid([
      { path, line, column, code: "run_not_json", message: `is no JSON list like ${EXAMPLE}: ${parsed.problem.message}` },
    ]);
  }
  const starts = lineStartsOf(text);
  const elements = parsed.root.kind === "array" ? parsed.root.elements : [];
  return checked(parsed.value, { path, places: elements.map(({ start }) => positionIn(starts, start)) });
}

/** The same for a value that was read already. */
export function checkRunArgv(value: JsonValue, path = "run"): Reply<RunArgv> {
  return checked(value, { path, places: [] });
}

/** Whether the program is another one, or none, depending on the folder that it is started in. */
export function isSeenFromFolder(program: string): boolean {
  return program.includes("/") && !program.startsWith("/");
}

interface Where {
  readonly path: string;
  /** Of the arguments, as far as they are known. */
  readonly places: readonly TextPosition[];
}

function checked(value: JsonValue, { path, places }: Where): Reply<RunArgv> {
  if (!isList(value)) return invalid([{ path, code: "run_not_list", message: `must be a list of arguments like ${EXAMPLE}` }]);
  if (value.length === 0) return invalid([{ path, code: "run_empty", message: `names no program; write one like ${EXAMPLE}` }]);
  if (value.length > MAX_ARGUMENTS) {
    return invalid([
      { path, code: "run_too_long", message: `has ${value.length} arguments; at most ${MAX_ARGUMENTS} are taken` },
    ]);
  }
  const problems = value.flatMap((argument, index) => {
    const flaw = argumentFlaw(argument, index);
    return flaw === null ? [] : [{ path: `${path}[${index}]`, ...places[index], ...flaw }];
  });
  const [first, ...others] = problems;
  if (first !== undefined) return invalid([first, ...others]);
  const whole = value.reduce<number>((length, argument) => length + String(argument).length, 0);
  return whole > MAX_RUN_LENGTH ? invalid([tooLong(path)]) : done(value as unknown as RunArgv);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function argumentFlaw(argument: JsonValue, index: number): Pick<Problem, "code" | "message"> | null {
  if (typeof argument !== "string") return { code: "argument_not_text", message: "must be a text" };
  if (argument === "") return { code: "argument_empty", message: "must not be empty" };
  if (argument.length > MAX_ARGUMENT_LENGTH) {
    return { code: "argument_too_long", message: `is longer than ${MAX_ARGUMENT_LENGTH} characters; put it into a file` };
  }
  if (index === 0 && argument.startsWith("-"))
    return { code: "program_is_option", message: "is the program and begins with a dash" };
  return unstorableFlaw(argument);
}

function tooLong(path: string): Problem {
  return {
    path,
    code: "run_too_long",
    message: `is longer than ${MAX_RUN_LENGTH} characters; put a script into a file and name it`,
  };
}

function invalid(problems: readonly [Problem, ...Problem[]]): BadInput {
  const [{ path, message }] = problems;
  return reject("run_invalid", `${path} ${message}.`, { problems });
}
