/**
 * Edits of JSON text that change what was asked and keep every other byte.
 *
 * Does not own: reading (`json-text.ts`) and which edits a registry needs (`edit.ts`).
 *
 * S1  Reading the edited text gives the edited value; nothing else in it has changed.
 * S2  What is added looks like its neighbours: their indentation, separators and line ending.
 * S3  An edit that would change nothing leaves the text as it is.
 */
import { formatJson, type JsonLayout, layoutOf } from "./json-layout.ts";
import type { JsonArrayNode, JsonDocument, JsonNode, JsonObjectNode, JsonProblem, JsonValue } from "./json-node.ts";
import { type JsonPath, nodeAt } from "./json-path.ts";
import { parseJsonText } from "./json-text.ts";

export type JsonEdit =
  | { readonly kind: "set"; readonly path: JsonPath; readonly value: JsonValue }
  | { readonly kind: "append"; readonly path: JsonPath; readonly value: JsonValue }
  | { readonly kind: "remove"; readonly path: JsonPath };

/** `no_such_place`: the path leads nowhere, or to a value of another kind. */
export type SplicedJson =
  | { readonly kind: "edited"; readonly text: string }
  | { readonly kind: "no_such_place"; readonly path: JsonPath }
  | { readonly kind: "unreadable"; readonly problem: JsonProblem };

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One edit after the other; the first that fails decides. */
export function spliceJson(text: string, edits: readonly JsonEdit[]): SplicedJson {
  let current = text;
  for (const edit of edits) {
    const document = parseJsonText(current);
    if (!document.ok) return { kind: "unreadable", problem: document.problem };
    const splices = splicesFor(document, edit);
    if (splices === null) return { kind: "no_such_place", path: edit.path };
    current = applySplices(current, splices);
  }
  return { kind: "edited", text: current };
}

function applySplices(text: string, splices: readonly Splice[]): string {
  let edited = text;
  for (const { start, end, text: inserted } of splices) edited = edited.slice(0, start) + inserted + edited.slice(end);
  return edited;
}

/** In descending order, so that one does not move the next. */
function splicesFor(document: JsonDocument, edit: JsonEdit): readonly Splice[] | null {
  const node = nodeAt(document.root, edit.path);
  if (edit.kind === "append") return node?.kind === "array" ? [addition(document, node, "", edit.value)] : null;
  const step = edit.path.at(-1);
  const parent = step === undefined ? null : nodeAt(document.root, edit.path.slice(0, -1));
  if (edit.kind === "set") return settingOf(document, { node, parent, step, value: edit.value });
  if (parent === null || parent.kind === "scalar" || node === null) return null;
  return removals(itemsOf(parent), (item) => item.value === node || item.key === step).map((part) => ({ ...part, text: "" }));
}

interface Setting {
  readonly node: JsonNode | null;
  readonly parent: JsonNode | null;
  readonly step: string | number | undefined;
  readonly value: JsonValue;
}

function settingOf(document: JsonDocument, { node, parent, step, value }: Setting): readonly Splice[] | null {
  if (node !== null) return replacement(document, node, { parent, value });
  if (parent?.kind !== "object" || typeof step !== "string") return null;
  return [addition(document, parent, step, value)];
}

function replacement(
  document: JsonDocument,
  node: JsonNode,
  { parent, value }: Pick<Setting, "parent" | "value">,
): readonly Splice[] {
  const written = document.text.slice(node.start, node.end);
  const old = parseJsonText(written);
  if (old.ok && JSON.stringify(old.value) === JSON.stringify(value)) return []; // S3
  const model = isEmpty(node) ? (parent ?? node) : node;
  const text = formatJson(value, layoutOf(document, model), lineIndent(document.text, node.start));
  return [{ start: node.start, end: node.end, text }];
}

function isEmpty(node: JsonNode): boolean {
  return node.kind === "scalar" || itemsOf(node).list.length === 0;
}

interface Item {
  readonly key: string | null;
  readonly start: number;
  readonly end: number;
  readonly value: JsonNode;
}
interface Items {
  readonly list: readonly Item[];
  /** Just inside the brackets. */
  readonly start: number;
  readonly end: number;
}

function itemsOf(node: JsonObjectNode | JsonArrayNode): Items {
  const list =
    node.kind === "object"
      ? node.members.map(({ key, key_start, value }) => ({ key, start: key_start, end: value.end, value }))
      : node.elements.map((value) => ({ key: null, start: value.start, end: value.end, value }));
  return { list, start: node.start + 1, end: node.end - 1 };
}

/** S2. */
function addition(document: JsonDocument, container: JsonObjectNode | JsonArrayNode, key: string, value: JsonValue): Splice {
  const layout = layoutOf(document, container);
  const items = itemsOf(container);
  const { list, start, end } = items;
  const last = list.at(-1);
  const indent =
    last === undefined ? lineIndent(document.text, container.start) + layout.unit : lineIndent(document.text, last.start);
  const name = container.kind === "object" ? JSON.stringify(key) + layout.colon : "";
  const model = container.kind === "array" && last !== undefined && !isEmpty(last.value) ? last.value : container;
  const item = name + formatJson(value, layoutOf(document, model), indent);
  if (last !== undefined)
    return { start: last.end, end: last.end, text: `,${gapBefore(document.text, { items, last }, layout)}${item}` };
  const outer = lineIndent(document.text, container.start);
  const text = layout.spread ? `${layout.newline}${indent}${item}${layout.newline}${outer}` : item;
  return { start, end, text };
}

/** The white space between the last two items; with one item, what comes before it, or a space if it has none. */
function gapBefore(text: string, { items, last }: { readonly items: Items; readonly last: Item }, layout: JsonLayout): string {
  const before = items.list.at(-2);
  if (before !== undefined) return text.slice(text.indexOf(",", before.end) + 1, last.start);
  const gap = text.slice(items.start, last.start);
  return gap === "" ? layout.comma.slice(1) : gap;
}

/** The leading white space of the line that an offset is on. */
function lineIndent(text: string, offset: number): string {
  const lineStart = Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
  const line = text.slice(lineStart, offset).replace("\ufeff", "");
  return line.slice(0, line.length - line.trimStart().length);
}

/** What goes when some items go: each with the comma that it no longer needs. Descending. */
function removals({ list, start, end }: Items, goes: (item: Item) => boolean): readonly { start: number; end: number }[] {
  if (list.every(goes)) return [{ start, end }];
  const parts: { start: number; end: number }[] = [];
  let isLeading = true;
  let from = Math.min(...list.slice(0, 1).map((item) => item.start));
  for (const item of list) {
    const going = goes(item);
    if (isLeading && !going && from < item.start) parts.push({ start: from, end: item.start });
    if (!isLeading && going) parts.push({ start: from, end: item.end });
    isLeading &&= going;
    if (!isLeading) from = item.end;
  }
  return parts.reverse();
}
