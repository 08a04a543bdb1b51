// The command line as others script it. `cli-surface.txt` is the list: a red pin asks whether the change was meant.
import { expect, test } from "vitest";
import { useOf } from "../../src/surfaces/cli/command.ts";
import { GLOBAL_OPTIONS, OPTIONS } from "../../src/surfaces/cli/options.ts";
import { COMMANDS } from "../../src/surfaces/cli/table.ts";

/** `!` marks a required option, `*` one that may be given several times. */
function optionsOf(spec: (typeof COMMANDS)[number]): string {
  const uses = spec.options.map(useOf);
  return uses.map((use) => `${use.name}${use.required === true ? "!" : ""}${use.repeatable === true ? "*" : ""}`).join(" ");
}

function commands(): object {
  const rows = COMMANDS.map((spec) => [
    spec.path.join(" "),
    {
      options: optionsOf(spec),
      also: spec.aliases?.map((path) => path.join(" ")),
      without_effect: spec.without_effect?.join(" "),
      positional: spec.positional,
    },
  ]);
  return Object.fromEntries(rows);
}

function options(): object {
  const rows = Object.entries(OPTIONS).map(([name, spec]) => [
    name,
    {
      kind: spec.kind,
      also: spec.aliases,
      words: spec.kind === "choice" ? spec.choices.join(" ") : undefined,
      bounds: spec.kind === "number" ? [spec.min, spec.max, spec.bare ?? null] : undefined,
    },
  ]);
  return Object.fromEntries(rows);
}

test("commands, their options and what these take", async () => {
  const surface = { everywhere: GLOBAL_OPTIONS, commands: commands(), options: options() };
  await expect(`${JSON.stringify(surface, null, 2)}\n`).toMatchFileSnapshot("cli-surface.txt");
});
