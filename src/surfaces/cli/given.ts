/** The options of one invocation, checked and typed by name. */
import type { OptionValue } from "./option.ts";
import type { FlagName, ListName, NumberName, OptionName, TextName } from "./options.ts";

export interface Options {
  text(name: TextName): string | null;
  number(name: NumberName): number | null;
  /** False when not given. */
  flag(name: FlagName): boolean;
  /** Null when not given, where a command has another default than off. */
  flagOrNull(name: FlagName): boolean | null;
  list(name: ListName | TextName): readonly string[];
}

/** `accepted`: asking for an option that the command does not have is a bug of the adapter. */
export function givenOptions(accepted: readonly OptionName[], values: ReadonlyMap<OptionName, OptionValue>): Options {
  const valueFor = (name: OptionName): OptionValue | null => {
    if (!accepted.includes(name)) throw new Error(`The command has no option --${name}.`);
    return values.get(name) ?? null;
  };
  const text = (name: TextName): string | null => {
    const value = valueFor(name);
    return typeof value === "string" ? value : null;
  };
  const number = (name: NumberName): number | null => {
    const value = valueFor(name);
    return typeof value === "number" ? value : null;
  };
  const flagOrNull = (name: FlagName): boolean | null => {
    const value = valueFor(name);
    return typeof value === "boolean" ? value : null;
  };
  const list = (name: ListName | TextName): readonly string[] => {
    const value = valueFor(name);
    return typeof value === "object" && value !== null ? value : [];
  };
  return { text, number, flagOrNull, flag: (name) => flagOrNull(name) ?? false, list };
}
