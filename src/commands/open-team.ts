/** The use cases about teams of agents, each loaded when it is first asked for (`open-app.ts`). */
import type { Reply } from "../core/result.ts";
import type { App } from "./app.ts";
import type { Opening } from "./open-decisions.ts";
import type { TeamWorld } from "./team-ports.ts";

type Teams = Pick<App, "launch" | "agentsStatus" | "agentsStop" | "agentsWake" | "agentsLogs">;

export function teamCases({ writing }: Pick<Opening, "writing">, team: () => Promise<TeamWorld>): Teams {
  const asking =
    <Request, Answer extends object>(load: () => Promise<(world: TeamWorld, request: Request) => Promise<Reply<Answer>>>) =>
    async (request: Request): Promise<Reply<Answer>> =>
      await (await load())(await team(), request);
  return {
    launch: async (request, launching) =>
      await writing(async () => {
        const [{ launch }, world] = [await import("./launch.ts"), await team()];
        return async (opened, asked: typeof request) => await launch(opened, world, { request: asked, launching });
      })(request),
    agentsStatus: asking(async () => (await import("./team-session.ts")).agentsStatus),
    agentsStop: asking(async () => (await import("./team-session.ts")).agentsStop),
    agentsWake: asking(async () => (await import("./team-session.ts")).agentsWake),
    agentsLogs: asking(async () => (await import("./team-logs.ts")).agentsLogs),
  };
}
