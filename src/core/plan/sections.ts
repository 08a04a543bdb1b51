/**
 * The headings of a state file as sections.
 *
 * Does not own: which words give which role (`section-role.ts`) and which lines are headings (`layout.ts`).
 *
 * S1  A section ends at the next heading of any level, so that nothing below one can be taken for its content.
 * S2  A deeper heading without a role of its own inside a todo or archive section continues it: "### Parser" under
 *     "## Agent Todo" holds agent todos.
 */
import type { LaidLine } from "./layout.ts";
import type { Diagnostic, Section, SectionRole } from "./plan.ts";
import { roleOfHeading } from "./section-role.ts";
import { skipSpace, trim, trimEnd } from "./white-space.ts";

/** A section with the lines of its body. */
export interface LaidSection extends Section {
  readonly lines: readonly LaidLine[];
}

interface Holder {
  readonly level: number;
  readonly role: SectionRole;
}

export function readSections(text: string, lines: readonly LaidLine[]): readonly LaidSection[] {
  const headings = lines.flatMap((line, at) => (line.kind === "heading" ? [{ line, at }] : []));
  let holder: Holder | null = null;
  return headings.map(({ line, at }, order) => {
    const section = readSection(text, line, lines.slice(at + 1, headings[order + 1]?.at ?? lines.length));
    const role: SectionRole =
      section.role === "other" && holder !== null && section.level > holder.level ? holder.role : section.role; // (S2)
    if (isTodoRole(section.role)) holder = { level: section.level, role: section.role };
    else if (holder !== null && section.level <= holder.level) holder = null;
    return { ...section, role };
  });
}

function isTodoRole(role: SectionRole): boolean {
  return role === "user" || role === "agent" || role === "archive";
}

function readSection(text: string, heading: LaidLine, body: readonly LaidLine[]): LaidSection {
  const { number: line, start, end, next } = heading;
  const content = text.slice(start, end);
  const level = content.length - content.replace(/^#+/, "").length;
  const title = titleOf(content.slice(level));
  const span = { start: next, end: body.at(-1)?.next ?? next }; // (S1)
  return { title, level, role: roleOfHeading(title, level), line, heading: { start, end }, body: span, lines: body };
}

/** Without outer white space and the closing `#`s that Markdown allows after a space. */
function titleOf(content: string): string {
  const title = trim(content);
  let end = title.length;
  while (end > 0 && title.charAt(end - 1) === "#") end -= 1;
  if (end === title.length) return title;
  const open = trimEnd(title, 0, end);
  return open < end || end === 0 ? title.slice(0, open) : title;
}

/** Lines that look as if they were meant to be headings of sections that LoopX reads. */
export function misreadHeadings(text: string, lines: readonly LaidLine[]): readonly Diagnostic[] {
  return lines.flatMap((line) => {
    const why =
      line.kind === "heading" ? titleInsteadOfSection(text, line) : line.kind === "text" ? almostHeading(text, line) : null;
    return why === null
      ? []
      : [{ code: "heading_not_understood", severity: "warning" as const, line: line.number, message: why }];
  });
}

const SHORT = 200;

function titleInsteadOfSection(text: string, line: LaidLine): string | null {
  const content = text.slice(line.start, Math.min(line.end, line.start + SHORT));
  const isTitle = !content.startsWith("##");
  return isTitle && roleOfHeading(titleOf(content.slice(1)), 2) !== "other"
    ? "A heading with one # is a title; a section needs ##"
    : null;
}

function almostHeading(text: string, line: LaidLine): string | null {
  const start = skipSpace(text, line.start, line.end);
  if (start - line.start > 3 || !text.startsWith("##", start)) return null;
  const content = text.slice(start, Math.min(line.end, start + SHORT));
  const title = titleOf(content.replace(/^#+/, ""));
  return roleOfHeading(title, 2) !== "other" ? "A heading starts at the first column and has a space after the #s" : null;
}
