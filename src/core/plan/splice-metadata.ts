/**
 * The smallest edits that set and remove keys of a todo's metadata.
 *
 * Does not own: what the keys mean (`metadata.ts` knows their form).
 *
 * C1  Other keys, their order, unknown keys and pieces that are not understood stay.
 * C2  Setting writes the occurrence that counts (the last); removing takes every occurrence out.
 * C3  Without a comment one is put below the todo line, indented two spaces deeper than it.
 */
import { contentEnd, type Edit, insertion } from "./edit.ts";
import { encodeValue, lastToken, type MetadataToken, readMetadata } from "./metadata.ts";
import type { Plan, PlanTodo } from "./plan.ts";
import { trimEnd } from "./white-space.ts";

/** Values by key; null removes the key. */
export type MetadataChange = Readonly<Record<string, string | null>>;

export function editMetadata(text: string, plan: Plan, todo: PlanTodo, change: MetadataChange): readonly Edit[] {
  const comments = todo.comments.map((comment) => readMetadata(text, comment));
  const tokens = comments.flatMap((comment) => comment.tokens);
  const fresh: string[] = [];
  const edits: Edit[] = [];
  for (const [key, value] of Object.entries(change)) {
    const token = lastToken(tokens, key);
    if (value === null) edits.push(...removals(text, tokens, key));
    else if (token === null) fresh.push(`${key}=${encodeValue(value)}`);
    else if (token.value !== value) edits.push({ span: token.value_span, text: encodeValue(value) });
  }
  if (fresh.length > 0) edits.push(addition(text, plan, todo, { at: comments[0]?.end ?? null, pieces: fresh.join(" ") }));
  return edits;
}

/** (C2) Each token goes with the white space before it. */
function removals(text: string, tokens: readonly MetadataToken[], key: string): readonly Edit[] {
  return tokens
    .filter((token) => token.key === key)
    .map(({ token }) => ({ span: { start: trimEnd(text, 0, token.start), end: token.end }, text: "" }));
}

/** (C1, C3) */
function addition(
  text: string,
  { newline }: Plan,
  todo: PlanTodo,
  { at, pieces }: { readonly at: number | null; readonly pieces: string },
): Edit {
  if (at !== null) return insertion(at, ` ${pieces}${text.startsWith("-->", at) ? " " : ""}`);
  const indent = text.slice(todo.todo_line.start, todo.marker.start).replace(/[^ \t][\s\S]*$/, "");
  return insertion(contentEnd(text, todo.todo_line), `${newline}${indent}  <!-- loopx:todo ${pieces} -->`);
}
