/** One row of the table of use cases: `read` or `write`, checked by its path and the schema of its body. */
import type { z } from "@hono/zod-openapi";
import type { App } from "../../commands/app.ts";
import type { TurnId } from "../../core/id.ts";
import type { Reply } from "../../core/result.ts";
import type { Given } from "../../schema/http/parameters.ts";
import type { RouteSpec } from "../../schema/http/routes.ts";
import type { Asked } from "./asked.ts";
import type { PathIds } from "./path-ids.ts";

/** A read, or a write once its body was read. */
export interface AskedAll extends Asked {
  readonly body: unknown;
  /** `Idempotency-Key`. */
  readonly key: TurnId | null;
}

export interface UseCase extends RouteSpec {
  /** `clock`: the answer changes by the passing of time alone, so none is kept; else it stays while nothing is recorded or edited. */
  readonly moves_with?: "clock";
  readonly ask: (app: App, asked: AskedAll) => Promise<Reply<object>>;
}

export type WriteCase = UseCase & { readonly body: z.ZodObject };

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;

/** The ids that the path names: asking for another one does not compile. */
type IdsIn<Path extends string> = Pick<PathIds, NamesIn<Path> & keyof PathIds>;

interface ReadRow<Path extends string> extends Pick<UseCase, "summary" | "parameters" | "answer" | "private" | "moves_with"> {
  readonly path: Path;
  readonly ask: (app: App, asked: { readonly ids: IdsIn<Path>; readonly given: Given }) => Promise<Reply<object>>;
}

interface WriteRow<Path extends string, Body extends z.ZodObject> extends Pick<RouteSpec, "summary" | "answer"> {
  readonly path: Path;
  readonly body: Body;
  readonly ask: (app: App, asked: Written<Path, Body>) => Promise<Reply<object>>;
}

interface Written<Path extends string, Body extends z.ZodObject> {
  readonly ids: IdsIn<Path>;
  readonly body: z.output<Body>;
  readonly key: TurnId | null;
}

const media = "application/json";

export function read<const Path extends string>(row: ReadRow<Path>): UseCase {
  return { ...row, media, ask: (app, asked) => row.ask(app, asked as AskedAll & { readonly ids: IdsIn<Path> }) };
}

export function write<const Path extends string, Body extends z.ZodObject>(row: WriteRow<Path, Body>): WriteCase {
  return { ...row, parameters: [], media, ask: (app, asked) => row.ask(app, asked as AskedAll & Written<Path, Body>) };
}

export function isWrite<Route extends Pick<RouteSpec, "body">>(route: Route): route is Route & { readonly body: z.ZodObject } {
  return route.body !== undefined;
}
