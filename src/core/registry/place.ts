/**
 * Where in a registry file a value stands, for problems.
 */

import type { JsonDocument } from "./json-node.ts";
import { type JsonPath, nodeAt } from "./json-path.ts";
import { type LineStarts, lineStartsOf, positionIn } from "./json-position.ts";

export interface Placed {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

export interface Places {
  /** Of the value at a path, or of the nearest value around it that is there. */
  readonly of: (path: JsonPath) => Placed;
  readonly atOffset: (offset: number) => Placed;
}

/** Lines are counted once, when the first place is asked for. */
export function placesIn(document: JsonDocument, path: string): Places {
  let starts: LineStarts | null = null;
  const atOffset = (offset: number): Placed => {
    starts ??= lineStartsOf(document.text);
    return { path, ...positionIn(starts, offset) };
  };
  return { atOffset, of: (steps) => atOffset(nearest(document, steps)) };
}

function nearest(document: JsonDocument, steps: JsonPath): number {
  for (let length = steps.length; length > 0; length -= 1) {
    const node = nodeAt(document.root, steps.slice(0, length));
    if (node !== null) return node.start;
  }
  return document.root.start;
}
