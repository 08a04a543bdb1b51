/**
 * `--help` and `loopx help`, made from the table.
 *
 * H1  Every text fits a screen of 80 columns and 24 lines and has an example.
 */
import { type CommandSpec, commandName, type OptionUse, useOf } from "./command.ts";
import { pathsOf } from "./find.ts";
import { choicesFit, signature } from "./option.ts";
import { GLOBAL_OPTIONS, OPTIONS } from "./options.ts";

const SCREEN_WIDTH = 80;
const OPTION_WIDTH = 29;
const COMMAND_WIDTH = 17;
const EVERYWHERE = "Everywhere: --registry --runtime-root --json --verbose (loopx help options)";

export const WELCOME: string = `There is no LoopX project in this folder or above it.

  loopx init --objective "What you want done"   start one here
  loopx status --registry PATH                  look at one that is elsewhere
  loopx help                                    all commands
`;

/** The pseudo-command of `loopx help options`. */
const OPTIONS_TOPIC = "options";

/** `topic`: nothing, the first part of a command, a command, or `options`. */
export function helpText(topic: readonly string[], commands: readonly CommandSpec[]): string {
  if (topic[0] === OPTIONS_TOPIC) return optionsHelp();
  const spec = commands.find((each) => each.path.join(" ") === topic.join(" "));
  if (spec !== undefined) return commandHelp(spec);
  return topic.length === 0 ? overview(commands) : groupHelp(topic, commands);
}

function optionsHelp(): string {
  return lines([
    "Options of every command, before it or behind it:",
    "",
    ...GLOBAL_OPTIONS.map((name) => optionRow({ name })),
    "",
    "A value follows its option or is joined by =. An option without value is on;",
    "true, false, yes, no, 1 or 0 may follow: --execute false. After -- no options.",
    "",
    "Environment: LOOPX_REGISTRY (as --registry), LOOPX_LOG (off, error, warn, info,",
    "debug, a file, or LEVEL:FILE). The log is logs/loopx.log in the runtime root.",
    "",
    "Exit status: 0 done, 1 refused, 2 bad input, 3 not found, 4 try again, 5 the",
    "world failed, 70 a bug. Ctrl-C ends --watch and serve with 0.",
    "",
    "Example: loopx --registry ~/work/.loopx/registry.json status --json",
  ]);
}

/** First words of commands by what people come for; what no topic names stands under the last one. */
const TOPICS: readonly (readonly [topic: string, firsts: readonly string[]])[] = [
  ["Begin", ["init", "goal", "agent", "quota"]],
  ["Look", ["status", "history", "drift", "why", "why-not", "registry"]],
  ["Work", ["next", "claim", "done", "todo", "lease", "evidence", "verify", "poll", "refresh", "turn"]],
  ["Answer", ["gate"]],
  ["Teams", ["run", "launch", "agents", "sim"]],
  ["Serve", ["serve"]],
  ["Care", ["doctor", "rebuild", "cache", "archive", "restore", "archives"]],
];

function overview(commands: readonly CommandSpec[]): string {
  const shown = commands.filter((spec) => spec.reference !== true && spec.path[0] !== "version");
  return lines([
    "LoopX keeps long-running agent goals on course.",
    "",
    "Usage: loopx COMMAND [OPTIONS]   (loopx help COMMAND says more)",
    "",
    ...topicRows(shown),
    commandRow("Help", "help, version, help options"),
    ...referenceRow(commands),
    "",
    EVERYWHERE,
    "Example: loopx status --goal-id importer",
  ]);
}

function topicRows(commands: readonly CommandSpec[]): readonly string[] {
  const named = new Set(TOPICS.flatMap(([, firsts]) => firsts));
  const rest = [...new Set(commands.map(({ path }) => path[0] ?? ""))].filter((first) => !named.has(first));
  return TOPICS.flatMap(([topic, firsts]) => {
    const names = [...firsts, ...(topic === "Care" ? rest : [])].flatMap((first) => nameOfGroup(first, commands));
    return names.length === 0 ? [] : [commandRow(topic, names.join(", "))];
  });
}

/** `goal add|list|show`, or the command itself. */
function nameOfGroup(first: string, commands: readonly CommandSpec[]): readonly string[] {
  const members = commands.filter((spec) => spec.path[0] === first);
  const seconds = members.flatMap(({ path }) => path.slice(1, 2));
  if (members.length === 0) return [];
  if (seconds.length === 0) return [first];
  const places = seconds.map((second, at) => (at > 0 && at % BREAK_AFTER === 0 ? ` ${second}` : second));
  return [`${first} ${places.join("|")}`];
}

/** A long group goes on in the next line. */
const BREAK_AFTER = 6;

function referenceRow(commands: readonly CommandSpec[]): readonly string[] {
  const older = commands.filter((spec) => spec.reference === true);
  const names = [...new Set(older.map(({ path }) => path[0] ?? ""))].flatMap((first) => nameOfGroup(first, older));
  return names.length === 0 ? [] : [commandRow("older names", `${names.join(", ")}.`)];
}

function groupHelp(group: readonly string[], commands: readonly CommandSpec[]): string {
  const members = commands.filter((spec) => pathsOf(spec).some((path) => group.every((part, place) => path[place] === part)));
  const [first] = members;
  return lines([
    `Usage: loopx ${group.join(" ")} COMMAND [OPTIONS]`,
    "",
    ...members.map((spec) => commandRow(commandName(spec), spec.summary)),
    "",
    ...(first === undefined ? [] : [`Example: ${first.example}`]),
  ]);
}

function commandHelp(spec: CommandSpec): string {
  const aliases = (spec.aliases ?? []).map((path) => `loopx ${path.join(" ")}`).join(", ");
  const without = (spec.without_effect ?? []).map((name) => `--${name}`).join(" ");
  return lines([
    spec.summary,
    ...joinedIfShort(`Usage: loopx ${usage(spec)}`, aliases === "" ? "" : `Also: ${aliases}`),
    "",
    ...optionRows(spec.options.map(useOf)),
    ...(without === "" ? [] : wrapped(`Accepted without effect: ${without}`, SCREEN_WIDTH)),
    ...(spec.options.length === 0 && without === "" ? [] : [""]),
    EVERYWHERE,
    `Example: ${spec.example}`,
  ]);
}

/** More than a screen holds: the first ones are explained, the others named. */
const MOST_EXPLAINED = 15;
const EXPLAINED_OF_MANY = 9;

function optionRows(uses: readonly OptionUse[]): readonly string[] {
  if (uses.length <= MOST_EXPLAINED) return uses.map(optionRow);
  for (let explained = EXPLAINED_OF_MANY; ; explained -= 1) {
    const rest = uses.slice(explained).map((use) => signature(use.name, OPTIONS[use.name]));
    const rows = [...uses.slice(0, explained).map(optionRow), ...wrapped(`  Also: ${rest.join(", ")}`, SCREEN_WIDTH)];
    if (explained === 0 || rows.join("\n").split("\n").length <= MOST_ROWS) return rows;
  }
}

/** What a screen leaves for options. */
const MOST_ROWS = 17;

function joinedIfShort(first: string, second: string): readonly string[] {
  if (second === "") return [first];
  const joined = `${first}   ${second}`;
  return joined.length <= SCREEN_WIDTH ? [joined] : [first, second];
}

function usage(spec: CommandSpec): string {
  const required = spec.options.map(useOf).filter((use) => use.required === true);
  const needed = required.map((use) => ` ${signature(use.name, OPTIONS[use.name])}`).join("");
  return `${commandName(spec)}${needed}${required.length === spec.options.length ? "" : " [OPTIONS]"}`;
}

function optionRow(use: OptionUse): string {
  const spec = OPTIONS[use.name];
  const about = use.about ?? spec.about;
  const text = spec.kind === "choice" && !choicesFit(spec) ? spec.choices.join(", ") : about;
  return row(signature(use.name, spec), text, OPTION_WIDTH);
}

function commandRow(name: string, about: string): string {
  return row(name, about, COMMAND_WIDTH);
}

/** A second line where the first is full. */
function row(name: string, about: string, width: number): string {
  const indent = " ".repeat(width + 1);
  const [first = "", ...more] = wrapped(about, SCREEN_WIDTH - indent.length);
  return [`${`  ${name}`.padEnd(width)} ${first}`, ...more.map((line) => indent + line)].join("\n");
}

function wrapped(text: string, width: number): readonly string[] {
  const made: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      made.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...made, line];
}

function lines(all: readonly string[]): string {
  return `${all.map((line) => line.trimEnd()).join("\n")}\n`;
}
