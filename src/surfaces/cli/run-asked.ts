import type { RunRequest } from "../../commands/app.ts";

/** What the options of `run` say; the rest is the surface's. */
export type Asked = Omit<RunRequest, "orders" | "tell">;
