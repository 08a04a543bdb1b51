/**
 * The use cases as one object: each is loaded when it is first asked for, and all share one workspace.
 *
 * Does not own: picking implementations (`compose.ts`).
 */
import type { Reply } from "../core/result.ts";
import type { App } from "./app.ts";
import type { DoctorPorts } from "./doctor/check.ts";
import type { StoreAccess } from "./ground.ts";
import type { Workspace } from "./workspace.ts";

/** A rehearsal writes nothing, not even a store. */
function accessFor(request: unknown): StoreAccess {
  const rehearses = typeof request === "object" && request !== null && "dryRun" in request && request.dryRun === true;
  return rehearses ? "read_only" : "read_write";
}

type UseCase<Request, Answer extends object> = (workspace: Workspace, request: Request) => Promise<Reply<Answer>>;

export interface AppParts {
  /** Opened at the first call. */
  readonly workspace: (access: StoreAccess) => Promise<Reply<Workspace>>;
  /** For the two use cases that work where there is no project yet, or a broken one. */
  readonly ground: () => Promise<DoctorPorts>;
}

export function openApp({ workspace, ground }: AppParts): App {
  const using =
    <Request, Answer extends object>(load: () => Promise<UseCase<Request, Answer>>) =>
    async (request: Request): Promise<Reply<Answer>> => {
      const [run, opened] = [await load(), await workspace(accessFor(request))];
      return opened.kind === "done" ? await run(opened.value, request) : opened;
    };
  return {
    init: async (request) => await (await import("./init.ts")).initProject(await ground(), request),
    doctor: async (request) => await (await import("./doctor.ts")).doctor(await ground(), request),
    goalAdd: using(async () => (await import("./add-goal.ts")).goalAdd),
    goalList: using(async () => (await import("./goals.ts")).goalList),
    goalShow: using(async () => (await import("./goals.ts")).goalShow),
    goalStop: using(async () => (await import("./goal-edit.ts")).goalStop),
    goalResume: using(async () => (await import("./goal-edit.ts")).goalResume),
    goalRemove: using(async () => (await import("./goal-edit.ts")).goalRemove),
    refresh: using(async () => (await import("./refresh.ts")).refresh),
    refreshAll: using(async () => (await import("./refresh-all.ts")).refreshAll),
    next: using(async () => (await import("./next.ts")).next),
    claim: using(async () => (await import("./claim.ts")).claim),
    leaseAcquire: using(async () => (await import("./lease-acquire.ts")).leaseAcquire),
    leaseRenew: using(async () => (await import("./lease.ts")).leaseRenew),
    leaseTransfer: using(async () => (await import("./lease.ts")).leaseTransfer),
    leaseRelease: using(async () => (await import("./lease.ts")).leaseRelease),
    leaseShow: using(async () => (await import("./lease-read.ts")).leaseShow),
    leaseList: using(async () => (await import("./lease-read.ts")).leaseList),
    status: using(async () => (await import("./status.ts")).status),
    history: using(async () => (await import("./history.ts")).history),
    drift: using(async () => (await import("./drift.ts")).drift),
    archive: using(async () => (await import("./archive.ts")).archive),
    restore: using(async () => (await import("./restore.ts")).restore),
    archives: using(async () => (await import("./archives.ts")).archives),
    rebuild: using(async () => (await import("./rebuild.ts")).rebuild),
    registry: async () => await using(async () => (await import("./registry-report.ts")).registryReport)(null),
  };
}
