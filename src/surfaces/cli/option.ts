/** What an option can be, as data. */

interface OptionFacts {
  /** Other spellings of the same option. */
  readonly aliases?: readonly string[];
  /** Completes the line of `--help`; at most 46 characters. */
  readonly about: string;
}

/** A text that must not be empty; `value` names it in `--help`. */
export interface TextOption extends OptionFacts {
  readonly kind: "text";
  readonly value: string;
}

/** Comma-separated, repeatable. */
export interface ListOption extends OptionFacts {
  readonly kind: "list";
  readonly value: string;
}

export interface ChoiceOption extends OptionFacts {
  readonly kind: "choice";
  readonly choices: readonly string[];
}

export interface NumberOption extends OptionFacts {
  readonly kind: "number";
  readonly value: string;
  readonly min: number;
  readonly max: number;
  readonly whole: boolean;
  /** The value of an option given bare; without it a value is needed. */
  readonly bare?: number;
}

/** On when bare; a following `true`, `false`, `yes`, `no`, `1` or `0` is its value. */
export interface FlagOption extends OptionFacts {
  readonly kind: "flag";
}

export type OptionSpec = TextOption | ListOption | ChoiceOption | NumberOption | FlagOption;

export type OptionValue = string | number | boolean | readonly string[];

export function takesValue(spec: OptionSpec): boolean {
  return spec.kind !== "flag" && !(spec.kind === "number" && spec.bare !== undefined);
}

/** How `--help` and the reference write it: `--limit N`, `--watch [SECONDS]`, `--dry-run`. */
export function signature(name: string, spec: OptionSpec): string {
  switch (spec.kind) {
    case "flag":
      return `--${name}`;
    case "choice":
      return `--${name} ${choicesFit(spec) ? spec.choices.join("|") : "WORD"}`;
    case "number":
      return spec.bare === undefined ? `--${name} ${spec.value}` : `--${name} [${spec.value}]`;
    default:
      return `--${name} ${spec.value}`;
  }
}

/** Whether the choices are short enough to stand beside the name. */
export function choicesFit(spec: ChoiceOption): boolean {
  return spec.choices.join("|").length <= 14;
}
