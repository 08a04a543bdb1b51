/** The use cases about leases and about what was decided and why, each loaded when it is first asked for (`open-app.ts`). */
import type { Reply } from "../core/result.ts";
import type { DecisionApp } from "./app-decisions.ts";
import type { Workspace, WritingWorkspace } from "./workspace.ts";

export type UseCase<Place extends Workspace, Request, Answer extends object> = (
  workspace: Place,
  request: Request,
) => Promise<Reply<Answer>>;

/** How a use case is run: with a workspace that reads, or one that writes. */
export interface Opening {
  using<Request, Answer extends object>(
    load: () => Promise<UseCase<Workspace, Request, Answer>>,
  ): (request: Request) => Promise<Reply<Answer>>;
  writing<Request, Answer extends object>(
    load: () => Promise<UseCase<WritingWorkspace, Request, Answer>>,
  ): (request: Request) => Promise<Reply<Answer>>;
}

export function decisionCases({ using, writing }: Opening): DecisionApp {
  return {
    leaseAcquire: writing(async () => (await import("./lease-acquire.ts")).leaseAcquire),
    leaseRenew: writing(async () => (await import("./lease.ts")).leaseRenew),
    leaseTransfer: writing(async () => (await import("./lease.ts")).leaseTransfer),
    leaseRelease: writing(async () => (await import("./lease.ts")).leaseRelease),
    leaseShow: using(async () => (await import("./lease-read.ts")).leaseShow),
    leaseList: using(async () => (await import("./lease-read.ts")).leaseList),
    why: using(async () => (await import("./why.ts")).why),
    whyNot: using(async () => (await import("./why.ts")).whyNot),
    shouldRun: using(async () => (await import("./should-run.ts")).shouldRun),
    quotaStatus: using(async () => (await import("./quota-status.ts")).quotaStatus),
    quotaPlan: async () => await using(async () => (await import("./quota-status.ts")).quotaPlan)(null),
    evidenceLog: using(async () => (await import("./evidence-log.ts")).evidenceLog),
    diagnose: using(async () => (await import("./diagnose.ts")).diagnose),
  };
}
