/** `LOOPX_LOG` and `--verbose` to what is logged and where: a level, a file, or `level:file`. */
import type { LogLevel } from "../../ports/system.ts";

export interface LogChoice {
  /** Null: nothing. */
  readonly level: LogLevel | null;
  readonly file: string | null;
}

const LEVELS: readonly string[] = ["error", "warn", "info", "debug"] satisfies readonly LogLevel[];
const DEFAULT: LogChoice = { level: "warn", file: null };

/** A name that is no level is a file, which gets everything. */
export function logChoice(variable: string | undefined): LogChoice {
  const text = variable?.trim() ?? "";
  if (text === "") return DEFAULT;
  const colon = text.indexOf(":");
  const head = colon === -1 ? text : text.slice(0, colon);
  const tail = colon === -1 ? "" : text.slice(colon + 1);
  if (head === "off") return { level: null, file: null };
  return isLevel(head) ? { level: head, file: tail === "" ? null : tail } : { level: "debug", file: text };
}

function isLevel(text: string): text is LogLevel {
  return LEVELS.includes(text);
}
