/**
 * The use cases as one object: each is loaded when it is first asked for, and all share one workspace.
 *
 * Does not own: picking implementations (`compose.ts`).
 */
import type { Reply } from "../core/result.ts";
import type { App } from "./app.ts";
import type { DoctorPorts } from "./doctor/check.ts";
import type { StoreAccess } from "./ground.ts";
import type { SubmitTurnPorts } from "./submit-turn.ts";
import type { TeamWorld } from "./team-ports.ts";
import type { MovingWorkspace, Workspace, WritingWorkspace } from "./workspace.ts";

/** A rehearsal writes nothing, not even a store. */
function accessFor(request: unknown): StoreAccess {
  const rehearses = typeof request === "object" && request !== null && "dryRun" in request && request.dryRun === true;
  return rehearses ? "read_only" : "read_write";
}

type UseCase<Place extends Workspace, Request, Answer extends object> = (
  workspace: Place,
  request: Request,
) => Promise<Reply<Answer>>;

export interface AppParts {
  /** Opened at the first call. */
  readonly workspace: (access: StoreAccess) => Promise<Reply<Workspace>>;
  /** For the two use cases that work where there is no project yet, or a broken one. */
  readonly ground: () => Promise<DoctorPorts>;
  readonly submitting: () => Promise<SubmitTurnPorts>;
  readonly team: () => Promise<TeamWorld>;
}

export function openApp({ workspace, ground, submitting, team }: AppParts): App {
  const using =
    <Request, Answer extends object>(load: () => Promise<UseCase<Workspace, Request, Answer>>) =>
    async (request: Request): Promise<Reply<Answer>> => {
      const [run, opened] = [await load(), await workspace(accessFor(request))];
      return opened.kind === "done" ? await run(opened.value, request) : opened;
    };
  const writing = <Request, Answer extends object>(load: () => Promise<UseCase<WritingWorkspace, Request, Answer>>) =>
    using<Request, Answer>(async () => {
      const run = await load();
      return async (opened, request) => await run(await opened.writing(), request);
    });
  const moving = <Request, Answer extends object>(load: () => Promise<UseCase<MovingWorkspace, Request, Answer>>) =>
    writing<Request, Answer>(async () => {
      const run = await load();
      return async (opened, request) => await run(await opened.moving(), request);
    });
  return {
    init: async (request) => await (await import("./init.ts")).initProject(await ground(), request),
    doctor: async (request) => await (await import("./doctor.ts")).doctor(await ground(), request),
    goalAdd: writing(async () => (await import("./add-goal.ts")).goalAdd),
    goalList: using(async () => (await import("./goals.ts")).goalList),
    goalShow: using(async () => (await import("./goals.ts")).goalShow),
    goalStop: writing(async () => (await import("./goal-edit.ts")).goalStop),
    goalResume: writing(async () => (await import("./goal-edit.ts")).goalResume),
    goalRemove: writing(async () => (await import("./goal-edit.ts")).goalRemove),
    refresh: writing(async () => (await import("./refresh.ts")).refresh),
    refreshAll: writing(async () => (await import("./refresh-all.ts")).refreshAll),
    next: using(async () => (await import("./next.ts")).next),
    claim: writing(async () => (await import("./claim.ts")).claim),
    done: writing(async () => (await import("./done.ts")).done),
    run: writing(async () => (await import("./run.ts")).run),
    turnSubmit: async (fields) => (await import("./submit-turn.ts")).submitTurn(await submitting(), fields),
    quotaSet: writing(async () => (await import("./quota-set.ts")).quotaSet),
    configureGoal: writing(async () => (await import("./configure-goal.ts")).configureGoal),
    agentAdd: writing(async () => (await import("./configure-goal.ts")).agentAdd),
    status: using(async () => (await import("./status.ts")).status),
    history: using(async () => (await import("./history.ts")).history),
    drift: using(async () => (await import("./drift.ts")).drift),
    archive: moving(async () => (await import("./archive.ts")).archive),
    restore: moving(async () => (await import("./restore.ts")).restore),
    archives: moving(async () => (await import("./archives.ts")).archives),
    rebuild: using(async () => (await import("./rebuild.ts")).rebuild),
    ...teamUseCases(writing, team),
    registry: async () => await using(async () => (await import("./registry-report.ts")).registryReport)(null),
  };
}

type Writing = <Request, Answer extends object>(
  load: () => Promise<UseCase<WritingWorkspace, Request, Answer>>,
) => (request: Request) => Promise<Reply<Answer>>;

type TeamUseCases = Pick<App, "launch" | "agentsStatus" | "agentsStop" | "agentsWake" | "agentsLogs">;

function teamUseCases(writing: Writing, team: AppParts["team"]): TeamUseCases {
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
