/** How the words of the payloads are told to people. */

import type { Fix } from "../../drift/drift.ts";
import type { Instant } from "../../instant.ts";
import { parseInstant } from "../../instant.ts";
import type { Problem } from "../../result.ts";
import { shorten } from "../../shorten.ts";
import type { AttentionItem } from "../attention.ts";
import { waitsForPerson } from "../attention.ts";
import { code, markdown } from "../escape.ts";
import { age, shortAge } from "./age.ts";

export function text(value: string | null, limit: number): string {
  return value === null || value === "" ? "-" : markdown(shorten(value, limit));
}

export function id(value: string): string {
  return code(shorten(value, 40));
}

export function who(item: Pick<AttentionItem, "waiting_on">): string {
  if (waitsForPerson(item)) return "a person";
  return item.waiting_on === "codex" ? "an agent" : "outside news";
}

/** A time as it was written, told as an age where it can be understood. */
export function when(written: unknown, now: Instant): string {
  const at = parseInstant(written);
  if (at !== null) return age(at, now);
  return typeof written === "string" ? text(written, 25) : "-";
}

/** In a column of at most 10. */
export function shortWhen(written: unknown, now: Instant): string {
  const at = parseInstant(written);
  if (at !== null) return shortAge(at, now);
  return typeof written === "string" ? text(written, 10) : "-";
}

/** Words of LoopX with commands between backticks, which stay code; what stands between is escaped either way. */
export function prose(words: string): string {
  const parts = words.split("`");
  if (parts.length % 2 === 0) return markdown(words);
  return parts.map((part, at) => (at % 2 === 0 ? markdown(part) : code(part))).join("");
}

/** A command to paste, whole, or what a person has to do. */
export function remedy(fix: Fix): string {
  if ("person" in fix) return prose(fix.person);
  return fix.safe ? code(fix.command) : `if you agree: ${code(fix.command)}`;
}

/** ` (path, line 3)`, or nothing where the place is not known. */
export function place({ path, line }: { readonly path: string | null; readonly line: number | null }): string {
  return path === null ? "" : ` (${code(path)}${line === null ? "" : `, line ${line}`})`;
}

export function problemLine({ path, line, message }: Problem): string {
  return text(message, 300) + place({ path: path ?? null, line: line ?? null });
}
