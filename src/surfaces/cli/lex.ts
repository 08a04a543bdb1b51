/**
 * Splits the arguments into options and words, without knowing the command.
 *
 * Does not own: which command it is (`parse.ts`) and whether a value is good (`value.ts`).
 *
 * L1  An option is taken only under its exact name or alias; a beginning of a name is no name.
 * L2  A flag takes the next word only when that is a boolean word, an option with an optional number only when it is a number.
 * L3  A value never starts with `--` unless it is joined by `=`; after `--` everything is a word.
 */
import { type OptionSpec, takesValue } from "./option.ts";
import { OPTIONS, type OptionName, optionNamed } from "./options.ts";

export interface GivenOption {
  /** Null for an option that no command has. */
  readonly name: OptionName | null;
  /** As typed, with the dashes, without the value. */
  readonly spelling: string;
  /** Null when no value stood there. */
  readonly raw: string | null;
  /** Place in the arguments. */
  readonly index: number;
}

export interface Word {
  readonly text: string;
  readonly index: number;
}

export interface Lexed {
  readonly options: readonly GivenOption[];
  readonly words: readonly Word[];
}

const SHORT: Readonly<Record<string, OptionName>> = { "-h": "help", "-V": "version", "-v": "version", "-f": "follow" };
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["yes", true],
  ["1", true],
  ["false", false],
  ["no", false],
  ["0", false],
]);
const NUMBER = /^\d+(?:\.\d+)?$/;

/** Null for text that is no boolean word. */
export function booleanWord(text: string): boolean | null {
  return BOOLEANS.get(text.toLowerCase()) ?? null;
}

export function lex(argv: readonly string[]): Lexed {
  const options: GivenOption[] = [];
  const words: Word[] = [];
  let index = 0;
  while (index < argv.length) {
    const token = argv[index] ?? "";
    if (token === "--") {
      words.push(...argv.slice(index + 1).map((text, offset) => ({ text, index: index + 1 + offset })));
      break;
    }
    if (!isOption(token)) {
      words.push({ text: token, index });
      index += 1;
      continue;
    }
    const option = optionAt(token, index, argv[index + 1]);
    options.push(option);
    index += option.raw === null || token.includes("=") ? 1 : 2;
  }
  return { options, words };
}

function isOption(token: string): boolean {
  return token.startsWith("-") && token !== "-" && !NUMBER.test(token.slice(1));
}

function optionAt(token: string, index: number, next: string | undefined): GivenOption {
  const equals = token.indexOf("=");
  const spelling = equals === -1 ? token : token.slice(0, equals);
  // (L1)
  const name = token.startsWith("--") ? optionNamed(spelling.slice(2)) : (SHORT[token] ?? null);
  if (equals !== -1) return { name, spelling, raw: token.slice(equals + 1), index };
  const takesNext = name !== null && next !== undefined && isValueOf(OPTIONS[name], next);
  return { name, spelling, raw: takesNext ? next : null, index };
}

/** L2, L3. */
function isValueOf(spec: OptionSpec, next: string): boolean {
  if (takesValue(spec)) return !next.startsWith("--") && !Object.hasOwn(SHORT, next);
  return spec.kind === "flag" ? booleanWord(next) !== null : NUMBER.test(next);
}
