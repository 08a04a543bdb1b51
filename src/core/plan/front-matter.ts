/**
 * The `key: value` lines between the two `---` lines at the start of a state file (data-plane 4).
 *
 * Does not own: where the block is (`layout.ts`).
 *
 * F1  Flat: a key starts at the first column. Nested and list lines are kept and reported, never read as keys.
 * F2  A key written twice has the value of its first line; that is also the line that is edited.
 */
import type { LaidLine } from "./layout.ts";
import type { Diagnostic, FrontMatter, FrontMatterEntry } from "./plan.ts";
import { skipSpace, trim, trimEnd } from "./white-space.ts";

export interface ReadFrontMatter {
  readonly front_matter: FrontMatter | null;
  readonly diagnostics: readonly Diagnostic[];
}

export function readFrontMatter(text: string, lines: readonly LaidLine[]): ReadFrontMatter {
  const block = lines.slice(0, lines.findLastIndex((line) => line.kind === "front_matter") + 1);
  const [first, last] = [block[0], block.at(-1)];
  if (first === undefined || last === undefined) {
    return {
      front_matter: null,
      diagnostics: [warning("missing_front_matter", null, "The file does not start with front matter")],
    };
  }
  const entries: FrontMatterEntry[] = [];
  const diagnostics: Diagnostic[] = [];
  const keys = new Set<string>();
  for (const line of block.slice(1, -1)) {
    const entry = readEntry(text, line);
    if (entry === null) {
      if (isNotUnderstood(text, line))
        diagnostics.push(warning("front_matter_not_understood", line.number, "This front matter line is no key: value line")); // (F1)
      continue;
    }
    if (keys.has(entry.key))
      diagnostics.push(warning("duplicate_front_matter_key", line.number, `The key ${entry.key} stands twice; the first counts`));
    keys.add(entry.key);
    entries.push(entry);
  }
  return { front_matter: { entries, body: { start: first.next, end: last.start } }, diagnostics };
}

/** The value that counts (F2), null when the key is not there. */
export function frontMatterEntry(front: FrontMatter | null, key: string): FrontMatterEntry | null {
  return front?.entries.find((entry) => entry.key === key) ?? null;
}

function readEntry(text: string, line: LaidLine): FrontMatterEntry | null {
  const colon = text.slice(line.start, line.end).indexOf(":");
  const key = trim(text.slice(line.start, line.start + Math.max(colon, 0)));
  if (key === "" || skipSpace(text, line.start, line.end) > line.start || /^[#-]/.test(key)) return null; // (F1)
  const start = skipSpace(text, line.start + colon + 1, line.end);
  const span = { start, end: trimEnd(text, start, line.end) };
  return { key, value: unquote(text.slice(span.start, span.end)), line: line.number, span };
}

function unquote(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}

function isNotUnderstood(text: string, line: LaidLine): boolean {
  const start = skipSpace(text, line.start, line.end);
  return start < line.end && text.charAt(start) !== "#";
}

function warning(code: string, line: number | null, message: string): Diagnostic {
  return { code, severity: "warning", line, message };
}
