/** Any record as Markdown: a title, then its fields as nested bullets. */

const MAX_ROWS = 50;

export function plainMarkdown(title: string, record: object): string {
  return `# ${title}\n\n${fieldLines(record, "").join("\n")}\n`;
}

function fieldLines(record: object, indent: string): readonly string[] {
  return Object.entries(record)
    .filter(([name, value]) => !(indent === "" && name === "ok" && value === true))
    .flatMap(([name, value]) => valueLines(`${indent}- ${name}:`, value, `${indent}  `));
}

function valueLines(head: string, value: unknown, indent: string): readonly string[] {
  if (Array.isArray(value)) return value.length === 0 ? [`${head} none`] : [head, ...rowLines(value, indent)];
  if (typeof value === "object" && value !== null) return [head, ...fieldLines(value, indent)];
  return [`${head} ${scalar(value)}`];
}

function rowLines(rows: readonly unknown[], indent: string): readonly string[] {
  const lines = rows.slice(0, MAX_ROWS).flatMap((row) => rowLine(row, indent));
  const more = rows.length - MAX_ROWS;
  return more > 0 ? [...lines, `${indent}- … ${more} more (--json shows all)`] : lines;
}

function rowLine(row: unknown, indent: string): readonly string[] {
  if (typeof row !== "object" || row === null) return [`${indent}- ${scalar(row)}`];
  const [first, ...rest] = fieldLines(row, `${indent}  `);
  return first === undefined ? [] : [`${indent}${first.trimStart()}`, ...rest];
}

function scalar(value: unknown): string {
  if (value === null || value === undefined) return "none";
  return String(value).replaceAll("\n", " ");
}
