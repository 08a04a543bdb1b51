import { type BadInput, done, type Reply, reject } from "../../../core/result.ts";
import type { LeaseListPayload, LeasePayload, LeaseShowPayload } from "../../../core/show/lease.ts";
import { leaseListPage, leasePage, leaseShowPage } from "../../../core/show/markdown/lease.ts";
import { taskLeasePayload } from "../../../core/show/task-lease.ts";
import type { Run, Shown } from "../command.ts";
import type { Options } from "../given.ts";
import { goalIdOf } from "../goal-id.ts";
import { shown } from "../shown.ts";

/** `own`: as LoopX prints it; `reference`: the record of `task-lease`. */
type Form = "own" | "reference";

export const leaseAcquire: Run = async (context, options) => {
  const owner = ownerOf(options);
  if (owner.kind !== "done") return owner;
  const app = await context.app();
  const reply = await app.leaseAcquire({
    goalId: goalIdOf(options),
    agentId: owner.value,
    todoId: needed(options.text("todo-id")),
    turnInstanceId: options.text("turn-instance-id"),
    instance: options.text("instance"),
    ttlSeconds: options.number("ttl-seconds"),
    capabilities: options.list("available-capability"),
    writeScopes: options.list("write-scope"),
    key: options.text("idempotency-key"),
  });
  return inForm("reference", reply);
};

export const leaseRenew: Run = renewing("own");
export const taskLeaseRenew: Run = renewing("reference");
export const leaseTransfer: Run = handingOver("own");
export const taskLeaseTransfer: Run = handingOver("reference");
export const leaseRelease: Run = releasing("own");
export const taskLeaseRelease: Run = releasing("reference");
export const leaseShow: Run = showing("own");
export const taskLeaseInspect: Run = showing("reference");

export const leaseList: Run = async (context, options) => {
  const app = await context.app();
  const reply = await app.leaseList({
    goalId: goalIdOf(options),
    agentId: options.text("agent-id"),
    limit: options.number("limit"),
    cursor: options.text("cursor"),
  });
  return shown(reply, (answer: LeaseListPayload) => leaseListPage(answer, context.now()));
};

function renewing(form: Form): Run {
  return async (context, options) => {
    const change = changeIn(options);
    if (change.kind !== "done") return change;
    const app = await context.app();
    return inForm(form, await app.leaseRenew({ ...change.value, ttlSeconds: options.number("ttl-seconds") }));
  };
}

function handingOver(form: Form): Run {
  return async (context, options) => {
    const change = changeIn(options);
    if (change.kind !== "done") return change;
    const app = await context.app();
    return inForm(form, await app.leaseTransfer({ ...change.value, to: needed(options.text("to")) }));
  };
}

function releasing(form: Form): Run {
  return async (context, options) => {
    const change = changeIn(options);
    if (change.kind !== "done") return change;
    const app = await context.app();
    return inForm(form, await app.leaseRelease(change.value));
  };
}

function showing(form: Form): Run {
  return async (context, options) => {
    const app = await context.app();
    const reply = await app.leaseShow({ goalId: goalIdOf(options), todoId: needed(options.text("todo-id")) });
    if (form === "own" || reply.kind !== "done") return shown(reply, leaseShowPage);
    return inReferenceForm(reply.value, leaseShowPage);
  };
}

function inForm(form: Form, reply: Reply<LeasePayload>): Reply<Shown> {
  if (form === "own" || reply.kind !== "done") return shown(reply, leasePage);
  return inReferenceForm(reply.value, leasePage);
}

function inReferenceForm<T extends LeasePayload | LeaseShowPayload>(answer: T, page: (answer: T) => string): Reply<Shown> {
  return done({ payload: taskLeasePayload(answer), markdown: () => page(answer) });
}

type Change = Parameters<Awaited<ReturnType<Parameters<Run>[0]["app"]>>["leaseRelease"]>[0];

function changeIn(options: Options): Reply<Change> {
  const owner = ownerOf(options);
  if (owner.kind !== "done") return owner;
  return done({
    goalId: goalIdOf(options),
    agentId: owner.value,
    todoId: needed(options.text("todo-id")),
    turnInstanceId: options.text("turn-instance-id"),
    leaseEpoch: options.number("lease-epoch"),
    key: options.text("idempotency-key"),
    expectedVersion: options.number("expected-version"),
    dryRun: options.flag("dry-run"),
  });
}

/** `--owner` is the reference's word for the agent that holds the lease. */
function ownerOf(options: Options): Reply<string | null> {
  const [owner, agent] = [options.text("owner"), options.text("agent-id")];
  return owner !== null && agent !== null && owner !== agent ? conflict(owner, agent) : done(owner ?? agent);
}

function conflict(owner: string, agent: string): BadInput {
  return reject("option_conflict", `--owner ${owner} and --agent-id ${agent} name two agents; the owner is the one that acts`);
}

function needed(text: string | null): string {
  if (text === null) throw new Error("The command does not require one of its options.");
  return text;
}
