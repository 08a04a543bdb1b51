/**
 * Ids of todos that carry none: the reference's digest, kept unique inside a plan (decision-plane 1.4).
 */
import type { TodoId } from "../id.ts";
import { sha1Hex } from "../sha1.ts";
import { trim } from "./white-space.ts";

export interface TodoPlace {
  readonly role: string;
  /** The first heading of that role in the file. */
  readonly section: string;
  /** From 1, among the todos of that role. */
  readonly index: number;
  readonly text: string;
}

const READ_LIMIT = 500;

export function generatedTodoId(place: TodoPlace): TodoId {
  const digest = sha1Hex(`${place.role}|${place.section}|${place.index}|${asReferenceReads(place.text)}`);
  return `todo_${digest.slice(0, 12)}` as TodoId;
}

/** The reference digests the text that it read, which it cuts to 500 code points. */
function asReferenceReads(text: string): string {
  if (text.length <= READ_LIMIT) return text;
  const points = [...text.slice(0, READ_LIMIT * 2 + 2)];
  return points.length <= READ_LIMIT ? text : `${trim(points.slice(0, READ_LIMIT - 1).join(""))}…`;
}

/** Gives each wish an id that no one has: the wish itself, else the wish with `-2`, `-3` and so on. */
export class TodoIdPool {
  readonly #taken: Set<string>;
  readonly #next = new Map<string, number>();

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  take(wish: TodoId): TodoId {
    let id = wish;
    let number = this.#next.get(wish) ?? 2;
    while (this.#taken.has(id)) {
      id = `${wish.slice(0, MAX_LENGTH)}-${number}` as TodoId;
      number += 1;
    }
    this.#next.set(wish, number);
    this.#taken.add(id);
    return id;
  }
}

/** Leaves room for a suffix inside the pattern's 64 characters after `todo_`. */
const MAX_LENGTH = 58;
