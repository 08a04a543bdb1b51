/** Pieces of a page for people. Cells and lines come in escaped. */

/** A `|` that is not escaped yet would start another column, in a code span too. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(oneColumn).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)];
}

/** A cell without a border of its own. */
export function oneColumn(cell: string): string {
  return cell.replace(/(\\*)\|/g, (bar, slashes: string) => (slashes.length % 2 === 0 ? `${slashes}\\|` : bar));
}

/** Blocks with an empty line between them; empty blocks are left out. */
export function page(...blocks: readonly (readonly string[])[]): string {
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join("\n"))
    .join("\n\n")}\n`;
}

/** `1 goal`, `2 goals`. */
export function counted(count: number, one: string, many: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A block of bullets; an empty one is no block. */
export function list(entries: readonly string[]): readonly string[] {
  return entries.map((entry) => `- ${entry}`);
}
