/** What agents ask in a turn, with nothing said beyond what must be. */
import { expect } from "vitest";
import type { ClaimRequest, DoneRequest, NextRequest, SpendSlotRequest } from "../../src/commands/app.ts";
import { REFRESH, registryText, type World, write } from "./workspace.ts";

export const HOUR_MS = 3_600_000;

export const CLAIM: ClaimRequest = {
  goalId: "alpha",
  agentId: "builder",
  todoId: null,
  turnInstanceId: null,
  instance: null,
  ttlSeconds: null,
  capabilities: [],
  writeScopes: [],
  idempotencyKey: null,
  dryRun: false,
};

export const DONE: DoneRequest = {
  goalId: "alpha",
  agentId: "builder",
  todoId: null,
  summary: "did it",
  next: [],
  noFollowUp: true,
  reason: "that was all",
  leaseEpoch: null,
  leaseKey: null,
  leaseVersion: null,
  turnInstanceId: null,
  slots: null,
  tokens: null,
  wallMs: null,
  noCache: false,
  dryRun: false,
};

export const NEXT: NextRequest = {
  goalId: "alpha",
  agentId: "builder",
  turnInstanceId: null,
  instance: null,
  capabilities: [],
  seen: null,
};

export const SPEND: SpendSlotRequest = {
  goalId: "alpha",
  agentId: "builder",
  todoId: null,
  turnInstanceId: null,
  slots: null,
  tokens: null,
  wallMs: null,
  source: "heartbeat",
  dryRun: false,
};

/** What the registry says of the quota of `alpha`, from now on. */
export function declareQuota(world: World, quota: Readonly<Record<string, unknown>>): void {
  write(world.registryPath, registryText(["alpha"], { quota }));
}

/** Records a run that may be spent. */
export async function deliver(world: World, { turn = null, agent = "builder" }: Delivery = {}): Promise<void> {
  const run = { ...REFRESH, agentId: agent, turnInstanceId: turn, deliveryOutcome: "outcome_progress" };
  expect((await world.app.refresh(run)).kind).toBe("done");
}

export interface Delivery {
  readonly turn?: string | null;
  readonly agent?: string;
}
