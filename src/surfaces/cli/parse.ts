/**
 * Arguments to what is to be done: a command with its options, a help text, the version, or why not.
 *
 * Does not own: the spellings (`options.ts`), the commands (`table.ts`), what a command does with a value.
 *
 * P1  What is not understood is refused with the nearest spelling and the exact next command; nothing runs on a guess.
 * P2  An option given twice is refused, unless it is a list or says the same again.
 * P3  Options stand before, between and behind the words of the command and mean the same.
 */
import type { BadInput } from "../../core/result.ts";
import { accepted, type CommandSpec, useOf } from "./command.ts";
import { findCommand, groupOf, pathsOf } from "./find.ts";
import { givenOptions, type Options } from "./given.ts";
import { booleanWord, type GivenOption, type Lexed, lex } from "./lex.ts";
import type { OptionValue } from "./option.ts";
import { OPTIONS, type OptionName } from "./options.ts";
import { fixFor, type Input, missingOption, repeatedOption, unexpectedWord, unknownCommand, unknownOption } from "./unparsed.ts";
import { parseValue } from "./value.ts";

export type Parsed =
  | { readonly kind: "run"; readonly spec: CommandSpec; readonly options: Options; readonly bare: boolean }
  | { readonly kind: "help"; readonly topic: readonly string[] }
  | { readonly kind: "version" }
  | BadInput;

export function parse(argv: readonly string[], commands: readonly CommandSpec[]): Parsed {
  const lexed = lex(argv);
  const input = { argv, lexed, commands };
  const names = lexed.words.map((word) => word.text);
  const found = names.length === 0 ? bareCommand(commands) : findCommand(names, commands);
  const unknown = lexed.options.find((option) => option.name === null);
  if (unknown !== undefined) return unknownOption(input, unknown, found);
  if (asked(lexed, "version")) return { kind: "version" };
  if (names[0] === "help") return helpFor(input, names.slice(1));
  if (asked(lexed, "help")) return helpFor(input, names);
  return found === null ? unknownCommand(input) : withOptions(input, found);
}

/** `loopx` alone shows the status. */
function bareCommand(commands: readonly CommandSpec[]): CommandSpec | null {
  return findCommand(["status"], commands);
}

function asked(lexed: Lexed, name: OptionName): boolean {
  return lexed.options.some((option) => option.name === name && (option.raw === null || booleanWord(option.raw) === true));
}

function helpFor(input: Input, names: readonly string[]): Parsed {
  if (names.length === 0 || names[0] === "help") return { kind: "help", topic: [] };
  if (names[0] === "options") return { kind: "help", topic: ["options"] };
  const spec = findCommand(names, input.commands);
  if (spec !== null) return { kind: "help", topic: spec.path };
  const group = groupOf(names, input.commands);
  return group.length === names.length ? { kind: "help", topic: group } : unknownCommand(input);
}

function withOptions(input: Input, spec: CommandSpec): Parsed {
  const stranger = input.lexed.options.find((option) => option.name !== null && !accepted(spec).includes(option.name));
  if (stranger !== undefined) return unknownOption(input, stranger, spec);
  const options = withPositional(input, spec);
  if (!Array.isArray(options)) return options;
  const values = new Map<OptionName, OptionValue>();
  const problems = options.flatMap((option) => problemsOf(option, { spec, values }));
  const first = problems[0];
  if (first !== undefined)
    return { ...first, problems: problems.flatMap((each) => each.problems), fix: fixFor(input, spec, first) };
  const missing = spec.options.map(useOf).find((use) => use.required === true && !values.has(use.name));
  if (missing !== undefined) return missingOption(spec, missing.name);
  return {
    kind: "run",
    spec,
    options: givenOptions(accepted(spec), values),
    bare: input.lexed.words.length === 0,
  };
}

/** The options, with the word that stands for one of them; or the word that does not belong here. */
function withPositional(input: Input, spec: CommandSpec): GivenOption[] | BadInput {
  const [word, extra] = input.lexed.words.slice(pathLength(input, spec));
  const name = spec.positional;
  const surplus = name === undefined ? word : extra;
  if (surplus !== undefined) return unexpectedWord(input, spec, surplus);
  if (word === undefined || name === undefined) return [...input.lexed.options];
  return [...input.lexed.options, { name, spelling: `--${name}`, raw: word.text, index: word.index }];
}

function pathLength(input: Input, spec: CommandSpec): number {
  const names = input.lexed.words.map((word) => word.text);
  const lengths = pathsOf(spec)
    .filter((path) => path.every((part, place) => names[place] === part))
    .map((path) => path.length);
  return Math.max(0, ...lengths);
}

interface Taking {
  readonly spec: CommandSpec;
  readonly values: Map<OptionName, OptionValue>;
}

/** Puts the value of one option, or says what is wrong with it. */
function problemsOf(option: GivenOption, { spec, values }: Taking): readonly BadInput[] {
  const { name } = option;
  if (name === null) return [];
  const valued = parseValue(OPTIONS[name], option);
  if (valued.kind !== "value") return [valued];
  const value = isRepeatable(spec, name) ? [String(valued.value)] : valued.value;
  const before = values.get(name);
  if (Array.isArray(before) && Array.isArray(value)) values.set(name, [...before, ...value]);
  else if (before !== undefined && before !== value) return [repeatedOption(option)];
  else values.set(name, value);
  return [];
}

function isRepeatable(spec: CommandSpec, name: OptionName): boolean {
  return spec.options.map(useOf).some((use) => use.name === name && use.repeatable === true);
}
