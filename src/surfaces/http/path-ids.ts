/** What may stand in a path as `{name}`: how each is read, and what `/openapi.json` says of it. */
import { z } from "@hono/zod-openapi";
import { type GoalId, parseGoalId, parseTodoId, type TodoId } from "../../core/id.ts";
import { done, type Reply, reject } from "../../core/result.ts";
import { printable } from "./printable.ts";
import { decodeSegment } from "./target.ts";

export interface PathIds {
  readonly goal_id: GoalId;
  readonly todo_id: TodoId;
  /** Number of an event of the goal. */
  readonly seq: number;
}

interface PathId<Id> {
  readonly parse: (text: string) => Reply<Id>;
  readonly schema: z.ZodType;
}

const EVENT_NUMBER = /^[1-9]\d{0,14}$/;

export const PATH_IDS: { readonly [Name in keyof PathIds]: PathId<PathIds[Name]> } = {
  goal_id: {
    parse: goalId,
    schema: z.string().openapi({ description: "goal id, percent-encoded once", example: "importer" }),
  },
  seq: {
    parse: eventNumber,
    schema: z.string().regex(EVENT_NUMBER).openapi({ description: "number of the event", example: "5" }),
  },
  todo_id: { parse: todoId, schema: z.string().openapi({ description: "todo id", example: "todo_4k2m9x" }) },
};

/** Of a segment as it was sent: decoded exactly once. */
export function parsePathId<Name extends keyof PathIds>(name: Name, segment: string): Reply<PathIds[Name]> {
  const text = decodeSegment(segment);
  if (text === null) return reject(`invalid_${name}`, `the ${name} in the path is not percent-encoded UTF-8`);
  return PATH_IDS[name].parse(text);
}

/** The names in a pattern, in order. */
export function idNamesOf(pattern: string): readonly (keyof PathIds)[] {
  return [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
    if (Object.hasOwn(PATH_IDS, name)) return name as keyof PathIds;
    throw new Error(`No id of a path is named ${name}.`);
  });
}

function goalId(text: string): Reply<GoalId> {
  const parsed = parseGoalId(text);
  if (parsed.ok) return done(parsed.id);
  const { code, message } = parsed.flaw;
  return reject("invalid_goal_id", `goal id "${printable(text)}" ${message}`, { problems: [{ path: "goal_id", code, message }] });
}

function todoId(text: string): Reply<TodoId> {
  const id = parseTodoId(text);
  return id === null
    ? reject("invalid_todo_id", `"${printable(text)}" is no todo id: todo_ and 3 to 64 of a-z 0-9 _ -`)
    : done(id);
}

function eventNumber(text: string): Reply<number> {
  if (EVENT_NUMBER.test(text)) return done(Number(text));
  return reject("invalid_seq", `"${printable(text)}" is no number of an event: a whole number from 1`);
}
