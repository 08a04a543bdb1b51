/**
 * The use cases as one object: each is loaded when it is first asked for, and all share one workspace.
 *
 * Does not own: picking implementations (`compose.ts`).
 */
import type { Reply } from "../core/result.ts";
import type { App } from "./app.ts";
import type { DoctorPorts } from "./doctor/check.ts";
import type { StoreAccess } from "./ground.ts";
import { decisionCases, type UseCase } from "./open-decisions.ts";
import { teamCases } from "./open-team.ts";
import type { SimGround } from "./sim.ts";
import type { SubmitTurnPorts } from "./submit-turn.ts";
import type { TeamWorld } from "./team-ports.ts";
import type { MovingWorkspace, Workspace, WritingWorkspace } from "./workspace.ts";

/** A rehearsal writes nothing, not even a store. */
function accessFor(request: unknown): StoreAccess {
  const rehearses = typeof request === "object" && request !== null && "dryRun" in request && request.dryRun === true;
  return rehearses ? "read_only" : "read_write";
}

export interface AppParts {
  /** Opened at the first call. */
  readonly workspace: (access: StoreAccess) => Promise<Reply<Workspace>>;
  /** For the two use cases that work where there is no project yet, or a broken one. */
  readonly ground: () => Promise<DoctorPorts>;
  readonly submitting: () => Promise<SubmitTurnPorts>;
  readonly team: () => Promise<TeamWorld>;
  readonly simulation: () => Promise<SimGround>;
}

/** How a use case gets the workspace it works on: opened at the first call, with what writes or moves files only where it needs that. */
interface Opening {
  using<Request, Answer extends object>(
    load: () => Promise<UseCase<Workspace, Request, Answer>>,
  ): (request: Request) => Promise<Reply<Answer>>;
  writing<Request, Answer extends object>(
    load: () => Promise<UseCase<WritingWorkspace, Request, Answer>>,
  ): (request: Request) => Promise<Reply<Answer>>;
  moving<Request, Answer extends object>(
    load: () => Promise<UseCase<MovingWorkspace, Request, Answer>>,
  ): (request: Request) => Promise<Reply<Answer>>;
}

export function openApp({ workspace, ground, submitting, team, simulation }: AppParts): App {
  const opening = openingOf(workspace);
  return {
    init: async (request) => await (await import("./init.ts")).initProject(await ground(), request),
    doctor: async (request) => await (await import("./doctor.ts")).doctor(await ground(), request),
    sim: async (request) => await (await import("./sim.ts")).sim(await simulation(), request),
    ...goalCases(opening),
    ...workCases(opening),
    run: opening.writing(async () => (await import("./run.ts")).run),
    turnSubmit: async (fields) => (await import("./submit-turn.ts")).submitTurn(await submitting(), fields),
    ...todoCases(opening),
    ...lookCases(opening),
    ...teamCases(opening, team),
  };
}

function openingOf(workspace: AppParts["workspace"]): Opening {
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
  return { using, writing, moving };
}

function goalCases({ using, writing }: Opening) {
  return {
    goalAdd: writing(async () => (await import("./add-goal.ts")).goalAdd),
    goalList: using(async () => (await import("./goals.ts")).goalList),
    goalShow: using(async () => (await import("./goals.ts")).goalShow),
    goalStop: writing(async () => (await import("./goal-edit.ts")).goalStop),
    goalResume: writing(async () => (await import("./goal-edit.ts")).goalResume),
    goalRemove: writing(async () => (await import("./goal-edit.ts")).goalRemove),
    configureGoal: writing(async () => (await import("./configure-goal.ts")).configureGoal),
    agentAdd: writing(async () => (await import("./configure-goal.ts")).agentAdd),
  };
}

function workCases({ using, writing }: Opening) {
  return {
    refresh: writing(async () => (await import("./refresh.ts")).refresh),
    refreshAll: writing(async () => (await import("./refresh-all.ts")).refreshAll),
    next: using(async () => (await import("./next.ts")).next),
    ...decisionCases({ using, writing }),
    claim: writing(async () => (await import("./claim.ts")).claim),
    done: writing(async () => (await import("./done.ts")).done),
    cacheStats: writing(async () => (await import("./cache.ts")).cacheStats),
    cachePrune: writing(async () => (await import("./cache.ts")).cachePrune),
    cacheClear: writing(async () => (await import("./cache.ts")).cacheClear),
    evidenceAdd: writing(async () => (await import("./evidence-add.ts")).evidenceAdd),
    evidenceList: using(async () => (await import("./evidence-list.ts")).evidenceList),
    evidenceShow: writing(async () => (await import("./evidence-show.ts")).evidenceShow),
    verify: writing(async () => (await import("./verify.ts")).verify),
    quotaSet: writing(async () => (await import("./quota-set.ts")).quotaSet),
    quotaSpendSlot: writing(async () => (await import("./quota-spend.ts")).quotaSpendSlot),
    quotaVoidSlot: writing(async () => (await import("./quota-void.ts")).quotaVoidSlot),
    quotaHold: writing(async () => (await import("./quota-wait.ts")).quotaHold),
    quotaResume: writing(async () => (await import("./quota-wait.ts")).quotaResume),
  };
}

function todoCases({ using, writing }: Opening) {
  return {
    todoAdd: writing(async () => (await import("./todo-add.ts")).todoAdd),
    todoList: using(async () => (await import("./todo-list.ts")).todoList),
    todoShow: using(async () => (await import("./todo-show.ts")).todoShow),
    todoUpdate: writing(async () => (await import("./todo-update.ts")).todoUpdate),
    todoSetStatus: writing(async () => (await import("./todo-update.ts")).todoSetStatus),
    todoComplete: writing(async () => (await import("./todo-complete.ts")).todoComplete),
    todoSupersede: writing(async () => (await import("./todo-complete.ts")).todoSupersede),
    todoArchiveCompleted: writing(async () => (await import("./todo-archive-completed.ts")).todoArchiveCompleted),
    gateList: using(async () => (await import("./gate-list.ts")).gateList),
    gateDecide: writing(async () => (await import("./gate-decide.ts")).gateDecide),
    poll: writing(async () => (await import("./poll.ts")).poll),
  };
}

function lookCases({ using, moving }: Opening) {
  return {
    status: using(async () => (await import("./status.ts")).status),
    history: using(async () => (await import("./history.ts")).history),
    drift: using(async () => (await import("./drift.ts")).drift),
    archive: moving(async () => (await import("./archive.ts")).archive),
    restore: moving(async () => (await import("./restore.ts")).restore),
    archives: moving(async () => (await import("./archives.ts")).archives),
    rebuild: using(async () => (await import("./rebuild.ts")).rebuild),
    registry: async () => await using(async () => (await import("./registry-report.ts")).registryReport)(null),
  };
}
