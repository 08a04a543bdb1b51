/**
 * The priority that stands in front of a todo's text: `[P0]` (first) to `[P4]`.
 */

const PREFIX = /^\[[pP]([0-4])\] ?/;

/** 0 to 4, null when the text has no such prefix. */
export function priorityOf(text: string): number | null {
  const digit = PREFIX.exec(text)?.[1];
  return digit === undefined ? null : Number(digit);
}

export function withoutPriority(text: string): string {
  return text.replace(PREFIX, "");
}

/** The text with this prefix instead of its own. */
export function withPriority(text: string, priority: number | null): string {
  const title = withoutPriority(text);
  return priority === null ? title : `[P${priority}] ${title}`;
}
