/**
 * The use cases as one object: each opens the workspace when it is first needed, and all share it.
 *
 * Does not own: picking implementations (`compose.ts`).
 */
import type { Reply } from "../core/result.ts";
import type { App } from "./app.ts";
import { drift } from "./drift.ts";
import { goalList, goalShow } from "./goals.ts";
import { history } from "./history.ts";
import { refresh } from "./refresh.ts";
import { refreshAll } from "./refresh-all.ts";
import { registryReport } from "./registry-report.ts";
import { status } from "./status.ts";
import type { Workspace } from "./workspace.ts";

type UseCase<Request, Answer extends object> = (workspace: Workspace, request: Request) => Promise<Reply<Answer>>;

export function openApp(workspace: () => Promise<Reply<Workspace>>): App {
  const using =
    <Request, Answer extends object>(run: UseCase<Request, Answer>) =>
    async (request: Request): Promise<Reply<Answer>> => {
      const opened = await workspace();
      return opened.kind === "done" ? await run(opened.value, request) : opened;
    };
  return {
    refresh: using(refresh),
    refreshAll: using(refreshAll),
    status: using(status),
    history: using(history),
    drift: using(drift),
    goalList: using(goalList),
    goalShow: using(goalShow),
    registry: () => using((ready) => registryReport(ready))(null),
  } as Partial<App> as App;
}
