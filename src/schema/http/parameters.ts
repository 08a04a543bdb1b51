/** What may stand behind `?`: each parameter with one meaning wherever it is accepted, and the text it takes. */
import { z } from "@hono/zod-openapi";

const LONGEST_TEXT = 512;
const LARGEST_POSITION = 9_223_372_036_854_775_807n;

const text = z.string().min(1).max(LONGEST_TEXT);

const flag = z
  .enum(["", "true", "1", "false", "0"])
  .transform((given) => given === "" || given === "true" || given === "1")
  .openapi({ type: "boolean" });

const limit = z
  .string()
  .regex(/^\d{1,4}$/, "takes a whole number from 1 to 1000")
  .transform(Number)
  .pipe(z.number().min(1).max(1000))
  .openapi({ type: "integer", minimum: 1, maximum: 1000 });

const list = z
  .string()
  .max(LONGEST_TEXT)
  .transform((given) => given.split(",").map((name) => name.trim()))
  .pipe(z.array(z.string().min(1, "takes names with commas between them")).min(1))
  .openapi({ type: "string", example: "goal_id,next_action" });

/** In its shortest spelling. */
const position = z
  .string()
  .regex(/^\d{1,19}$/, "takes the id of an event")
  .transform((given) => BigInt(given))
  .refine((given) => given <= LARGEST_POSITION, "takes the id of an event")
  .transform(String)
  .openapi({ type: "string", pattern: "^\\d{1,19}$" });

const ALL = {
  limit: { schema: limit, about: "rows of a page" },
  cursor: { schema: text, about: "start of the page, from `left_out` of the last one" },
  all: { schema: flag, about: "every goal, not one page" },
  fields: { schema: list, about: "only these fields of each goal" },
  goal_id: { schema: text, about: "one goal" },
  agent_id: { schema: text, about: "as this agent sees it" },
  todo_id: { schema: text, about: "one todo" },
  instance: { schema: text, about: "which execution of the agent asks" },
  available_capability: { schema: list, about: "what the agent can do beyond shell and files" },
  seen: { schema: text, about: "token of what was told last: not told again" },
  status: { schema: z.enum(["open", "blocked", "deferred", "done", "archived"]), about: "only todos that are so" },
  role: { schema: z.enum(["user", "agent"]), about: "only todos of a person, or of agents" },
  at: { schema: text, about: "as it was right after this event of the goal: its number, or a time" },
  session: { schema: text, about: "name of the team (team)" },
  since: { schema: text, about: "only what is not older than this time" },
  thin: { schema: flag, about: "rows without words" },
  with_output: { schema: flag, about: "also what the command printed" },
  kind: { schema: z.enum(["status", "verifier", "packages"]), about: "only this kind of cache" },
  capability: { schema: text, about: "only what is cached for this capability" },
  after: { schema: position, about: "events behind this id; `Last-Event-ID` comes before it" },
} as const;

export type ParameterName = keyof typeof ALL;

export const PARAMETERS: { readonly [Name in ParameterName]: { readonly schema: z.ZodType; readonly about: string } } = ALL;

/** What was given, after parsing; absent where it was not given. */
export type Given = { readonly [Name in ParameterName]?: z.output<(typeof ALL)[Name]["schema"]> };
