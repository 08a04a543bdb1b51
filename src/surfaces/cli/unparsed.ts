/** What `parse.ts` answers when it does not understand: the nearest spelling and the exact next command (P1). */
import { loopxCommand } from "../../core/command-line.ts";
import { nearest } from "../../core/near.ts";
import { type BadInput, type Problem, reject } from "../../core/result.ts";
import { accepted, type CommandSpec, commandName } from "./command.ts";
import { groupOf, pathsOf } from "./find.ts";
import type { GivenOption, Lexed, Word } from "./lex.ts";
import { OPTIONS, type OptionName, spellings } from "./options.ts";

export interface Input {
  readonly argv: readonly string[];
  readonly lexed: Lexed;
  readonly commands: readonly CommandSpec[];
}

export function repeatedOption({ spelling, name }: GivenOption): BadInput {
  const message = `${spelling} is given twice with different values${spelling === `--${name}` ? "" : ` (it is another name of --${name})`}`;
  return reject("option_repeated", message, { problems: [problem("option_repeated", spelling, message)] });
}

/** The argument with its nearest choice put in, or the example of the command. */
export function fixFor(input: Input, spec: CommandSpec, no: BadInput): string {
  const spelling = no.problems[0]?.path;
  const near = no.near?.[0];
  const given = input.lexed.options.find((option) => option.spelling === spelling);
  if (near === undefined || given === undefined || given.raw === null) return spec.example;
  const joined = input.argv[given.index]?.includes("=") === true;
  return joined
    ? loopxCommand(...input.argv.with(given.index, `${given.spelling}=${near}`))
    : loopxCommand(...input.argv.with(given.index + 1, near));
}

export function unknownOption(input: Input, option: GivenOption, spec: CommandSpec | null): BadInput {
  const candidates = (spec === null ? (Object.keys(OPTIONS) as OptionName[]) : accepted(spec)).flatMap(spellings);
  const near = nearest(option.spelling.replace(/^-+/, ""), candidates).map((name) => `--${name}`);
  const where = spec === null || input.lexed.words.length === 0 ? "loopx" : `loopx ${commandName(spec)}`;
  const message = `${where} has no option ${option.spelling}`;
  const [best] = near;
  const help = spec === null ? "loopx --help" : `loopx ${commandName(spec)} --help`;
  return reject("unknown_option", message, {
    problems: [problem("unknown_option", option.spelling, message)],
    near,
    fix: best === undefined ? help : respelled(input.argv, option.index, best),
  });
}

export function unknownCommand(input: Input): BadInput {
  const words = input.lexed.words.filter((word, place) => place > 0 || word.text !== "help");
  const names = words.map((word) => word.text);
  const group = groupOf(names, input.commands);
  const wrong = words[group.length];
  const known = nextWords(group, input.commands);
  if (wrong === undefined) return incompleteCommand(group, known);
  const near = nearest(wrong.text, known);
  const [best] = near;
  const help = loopxCommand(...group, "--help");
  return reject("unknown_command", `loopx has no command "${[...group, wrong.text].join(" ")}"`, {
    near,
    fix: best === undefined ? help : respelled(input.argv, wrong.index, best),
  });
}

function incompleteCommand(group: readonly string[], known: readonly string[]): BadInput {
  const name = group.join(" ");
  return reject("command_incomplete", `loopx ${name} needs one of: ${known.join(", ")}`, { fix: `loopx ${name} --help` });
}

/** The words that may follow `group`. */
function nextWords(group: readonly string[], commands: readonly CommandSpec[]): readonly string[] {
  const paths = commands.flatMap(pathsOf);
  const under = paths.filter((path) => group.every((part, place) => path[place] === part));
  return [...new Set([...under.flatMap((path) => path[group.length] ?? []), ...(group.length === 0 ? ["help"] : [])])];
}

export function unexpectedWord(input: Input, spec: CommandSpec, word: Word): BadInput {
  const takesGoal = accepted(spec).includes("goal-id") && !input.lexed.options.some((option) => option.name === "goal-id");
  const named = [...input.argv.slice(0, word.index), "--goal-id", ...input.argv.slice(word.index)];
  const message = `loopx ${commandName(spec)} does not take "${word.text}" on its own`;
  return reject("unexpected_word", message, {
    problems: [problem("unexpected_word", word.text, message)],
    fix: takesGoal ? loopxCommand(...named) : loopxCommand(...input.argv.toSpliced(word.index, 1)),
  });
}

export function missingOption(spec: CommandSpec, name: OptionName): BadInput {
  const message = `loopx ${commandName(spec)} needs --${name}`;
  return reject("option_missing", message, { problems: [problem("option_missing", `--${name}`, message)], fix: spec.example });
}

function problem(code: string, path: string, message: string): Problem {
  return { code, path, message };
}

/** The same arguments with the one at `index` begun by `spelling` instead; a joined value stays. */
function respelled(argv: readonly string[], index: number, spelling: string): string {
  const token = argv[index] ?? "";
  const equals = token.startsWith("-") ? token.indexOf("=") : -1;
  const value = equals === -1 ? "" : token.slice(equals);
  return loopxCommand(...argv.with(index, `${spelling}${value}`));
}
