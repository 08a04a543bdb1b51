/**
 * How a JSON text is laid out, and values written in that layout.
 */
import type { JsonDocument, JsonNode, JsonValue } from "./json-node.ts";

export interface JsonLayout {
  /** One item a line, or all on one line. */
  readonly spread: boolean;
  readonly newline: string;
  /** One step of indentation. */
  readonly unit: string;
  readonly colon: string;
  readonly comma: string;
}

/** The layout that a new item of `model` takes: its own, or where it shows none, the document's. */
export function layoutOf({ text, root }: JsonDocument, model: JsonNode): JsonLayout {
  const newline = /\r\n?|\n/.exec(text)?.[0] ?? "\n";
  const colon = colonOf(text, model) ?? colonOf(text, root) ?? ": ";
  const spread = isSpread(text, model) ?? isSpread(text, root) ?? true;
  return { spread, newline, unit: unitOf(text, root), colon, comma: colon === ":" ? "," : ", " };
}

/** `null`: it has no item that could show it. */
function isSpread(text: string, node: JsonNode): boolean | null {
  const first = firstItemStart(node);
  return first === null ? null : /[\r\n]/.test(text.slice(node.start, first));
}

function firstItemStart(node: JsonNode): number | null {
  if (node.kind === "object") return node.members[0]?.key_start ?? null;
  return node.kind === "array" ? (node.elements[0]?.start ?? null) : null;
}

function colonOf(text: string, node: JsonNode): string | null {
  const member = node.kind === "object" ? node.members.at(-1) : undefined;
  if (member === undefined) return null;
  return text.slice(member.key_end, member.value.start);
}

function unitOf(text: string, root: JsonNode): string {
  const first = firstItemStart(root);
  const gap = first === null ? "" : text.slice(root.start + 1, first);
  return /[\r\n]([ \t]+)$/.exec(gap)?.[1] ?? "  ";
}

/** `indent`: that of the line on which the value starts. */
export function formatJson(value: JsonValue, layout: JsonLayout, indent: string): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const inner = indent + layout.unit;
  const items = Array.isArray(value)
    ? value.map((item: JsonValue) => formatJson(item, layout, inner))
    : Object.entries(value).map(([key, item]) => JSON.stringify(key) + layout.colon + formatJson(item, layout, inner));
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (items.length === 0) return open + close;
  if (!layout.spread) return open + items.join(layout.comma) + close;
  return `${open}${layout.newline}${inner}${items.join(`,${layout.newline}${inner}`)}${layout.newline}${indent}${close}`;
}
