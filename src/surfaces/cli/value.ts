/** The text after an option to its value, or what is wrong with it. What a text may say is the use case's to judge. */
import { nearest } from "../../core/near.ts";
import { type BadInput, reject } from "../../core/result.ts";
import { booleanWord, type GivenOption } from "./lex.ts";
import type { ChoiceOption, NumberOption, OptionSpec, OptionValue } from "./option.ts";

export type Valued = { readonly kind: "value"; readonly value: OptionValue } | BadInput;

export function parseValue(spec: OptionSpec, given: GivenOption): Valued {
  const { raw, spelling } = given;
  if (spec.kind === "flag") return flagValue(given);
  if (raw === null) {
    if (spec.kind === "number" && spec.bare !== undefined) return good(spec.bare);
    return no(
      "option_value_missing",
      spelling,
      `${spelling} needs a value; one that starts with -- is joined to it: ${spelling}=…`,
    );
  }
  if (raw.trim() === "") return no("option_value_empty", spelling, `${spelling} has an empty value; leave it out instead`);
  return filledValue(spec, spelling, raw);
}

function filledValue(spec: Exclude<OptionSpec, { kind: "flag" }>, spelling: string, raw: string): Valued {
  switch (spec.kind) {
    case "number":
      return numberValue(spec, spelling, raw);
    case "choice":
      return choiceValue(spec, spelling, raw);
    case "list":
      return listValue(spelling, raw);
    case "text":
      return good(raw);
  }
}

function flagValue({ raw, spelling }: GivenOption): Valued {
  if (raw === null) return good(true);
  const value = booleanWord(raw);
  return value === null
    ? no("option_value_invalid", spelling, `${spelling} is true or false (yes, no, 1, 0), not "${raw}"`)
    : good(value);
}

function numberValue(spec: NumberOption, spelling: string, raw: string): Valued {
  const value = /^[+-]?\d+(?:\.\d+)?$/.test(raw.trim()) ? Number(raw) : Number.NaN;
  const kind = spec.whole ? "whole number" : "number";
  if (Number.isNaN(value) || (spec.whole && !Number.isInteger(value))) {
    return no("option_value_invalid", spelling, `${spelling} is a ${kind}, not "${raw}"`);
  }
  if (value < spec.min || value > spec.max) {
    const message = `${spelling} is a ${kind} from ${spec.min} to ${spec.max}, not ${raw}`;
    return { ...no("option_value_out_of_range", spelling, message), near: [String(value < spec.min ? spec.min : spec.max)] };
  }
  return good(value);
}

function choiceValue(spec: ChoiceOption, spelling: string, raw: string): Valued {
  if (spec.choices.includes(raw)) return good(raw);
  const message = `${spelling} is one of ${spec.choices.join(", ")}, not "${raw}"`;
  return { ...no("option_value_invalid", spelling, message), near: nearest(raw, spec.choices) };
}

function listValue(spelling: string, raw: string): Valued {
  const parts = raw.split(",").map((part) => part.trim());
  if (parts.includes("")) return no("option_value_empty", spelling, `${spelling} has an empty entry in "${raw}"`);
  return good(parts);
}

function good(value: OptionValue): Valued {
  return { kind: "value", value };
}

function no(code: string, spelling: string, message: string): BadInput {
  return reject(code, message, { problems: [{ path: spelling, code, message }] });
}
