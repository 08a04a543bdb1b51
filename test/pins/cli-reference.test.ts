// `docs/commands.md` is what the table says. After a change of the table: npx vitest run test/pins/cli-reference -u
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type CommandSpec, useOf } from "../../src/surfaces/cli/command.ts";
import { type OptionSpec, signature } from "../../src/surfaces/cli/option.ts";
import { GLOBAL_OPTIONS, OPTIONS, type OptionName } from "../../src/surfaces/cli/options.ts";
import { COMMANDS } from "../../src/surfaces/cli/table.ts";

const INTRODUCTION = `# Commands

Made from the command table; a test compares. The same texts: \`loopx help\` and \`loopx COMMAND --help\`.

Options stand before, between or behind the words of the command. A value follows its option or is joined to it by \`=\`; one that starts
with \`--\` must be joined. An option without value is on when it is given, and takes \`true\`, \`false\`, \`yes\`, \`no\`, \`1\` or \`0\`. After \`--\`
there are no options. Names cannot be shortened. An option given twice with different values is refused, unless it is a list.

## Output

Answers are printed on stdout, everything else on stderr. \`--json\` prints the record; a \`--watch\` then prints one record a line, whenever it changes.
Errors are words on stderr, or with \`--json\` one record on stdout: \`{"ok": false, "code": …, "message": …, "fix": …, "retry": …}\`, with \`problems\`
(\`path\`, \`line\`, \`column\`, \`code\`, \`message\`), \`near\`, \`cause\` and the facts of the refusal where there are some; \`fix\` is the exact next command.

| exit status | means |
| --- | --- |
| 0 | done; also the end of \`--watch\` and \`serve\` by Ctrl-C, SIGTERM or a reader that went away |
| 1 | refused, or an answer that says \`ok: false\` |
| 2 | the arguments or a file cannot be understood |
| 3 | not found |
| 4 | somebody else was faster; read again and retry |
| 5 | the world failed: disk, store, machine |
| 70 | a bug; the report is ready to send |

A reader that goes away early (\`loopx status | head -1\`) is no error: the status is that of the command. Any other command that is interrupted ends by the
signal, as every program does (130 in a shell after Ctrl-C); what it had answered is written, what it had not is not.

## Environment

| variable | means |
| --- | --- |
| \`LOOPX_REGISTRY\` | as \`--registry\`, which wins |
| \`LOOPX_LOG\` | what is logged: \`off\`, \`error\`, \`warn\` (the default), \`info\`, \`debug\`; or a file, which gets everything; or \`LEVEL:FILE\` |

The log is \`logs/loopx.log\` under the runtime root: one JSON object a line, readable by its owner alone, at most 1 MiB and one predecessor, made only when there is
something to log. \`--verbose\` logs everything, to stderr as well. Credentials are masked.
`;

function reference(): string {
  return [
    INTRODUCTION,
    "## Options of every command\n",
    table(GLOBAL_OPTIONS.map((name) => row(name, OPTIONS[name], ""))),
    ...COMMANDS.map(section),
  ].join("\n");
}

function section(spec: CommandSpec): string {
  const rows = spec.options.map(useOf).map((use) => {
    const option = use.about === undefined ? OPTIONS[use.name] : { ...OPTIONS[use.name], about: use.about };
    return row(use.name, option, use.required === true ? "required" : "");
  });
  const ignored = (spec.without_effect ?? []).map((name) => `\`--${name}\``).join(", ");
  const notes = [
    ...(spec.aliases === undefined ? [] : [`Also: ${spec.aliases.map((path) => `\`loopx ${path.join(" ")}\``).join(", ")}.`]),
    ...(spec.positional === undefined ? [] : [`A word of its own is \`--${spec.positional}\`.`]),
    ...(ignored === "" ? [] : [`Accepted without effect: ${ignored}.`]),
  ];
  return [
    `## loopx ${spec.path.join(" ")}\n`,
    `${[spec.summary, ...notes].join(" ")}\n`,
    `\`\`\`sh\n${spec.example}\n\`\`\`\n`,
    rows.length === 0 ? "" : table(rows),
  ].join("\n");
}

function table(rows: readonly string[]): string {
  return `| option | means | |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
}

function row(name: OptionName, spec: OptionSpec, mark: string): string {
  const also = spec.aliases === undefined ? "" : `; also ${spec.aliases.map((alias) => `\`--${alias}\``).join(", ")}`;
  return `| \`${signature(name, spec).replaceAll("|", "\\|")}\` | ${spec.about}${words(spec)}${also} | ${mark} |`;
}

function words(spec: OptionSpec): string {
  if (spec.kind === "choice") return `: ${spec.choices.map((choice) => `\`${choice}\``).join(", ")}`;
  if (spec.kind !== "number") return "";
  return spec.max === Number.MAX_SAFE_INTEGER ? `, from ${spec.min}` : `, ${spec.min} to ${spec.max}`;
}

test("docs/commands.md is the table", async () => {
  await expect(reference()).toMatchFileSnapshot("../../docs/commands.md");
});

test("the README names every command", () => {
  const table = readFileSync("README.md", "utf8").split("## Commands")[1] ?? "";
  const named = new Set(
    [...table.matchAll(/`(?:loopx )?([a-z-]+)(?: ([a-z-]+))?/g)].flatMap(([, first, second]) => [first, second]),
  );
  for (const { path } of COMMANDS) expect(named).toContain(path.at(-1));
});
