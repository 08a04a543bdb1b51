/**
 * A place within a JSON document.
 */
import type { JsonNode } from "./json-node.ts";

/** Keys and, for lists, places from 0. */
export type JsonPath = readonly (string | number)[];

/** The node at a path; the last of repeated keys, which is the one that counts. */
export function nodeAt(root: JsonNode, path: JsonPath): JsonNode | null {
  let node: JsonNode | null = root;
  for (const step of path) node = node === null ? null : childOf(node, step);
  return node;
}

function childOf(node: JsonNode, step: string | number): JsonNode | null {
  if (node.kind === "array") return typeof step === "number" ? (node.elements[step] ?? null) : null;
  if (node.kind === "object") return node.members.findLast((member) => member.key === step)?.value ?? null;
  return null;
}
