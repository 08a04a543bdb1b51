/**
 * Turns of an agent that were cut off: each goes on from the phase that its record names, to its end. What is settled and was not told
 * yet is among the answers.
 *
 * Does not own: the phases (`run-turn.ts`).
 *
 * U1  A turn whose process still lives is left alone.
 * U2  Where the host or a check may have run, what is left of it is ended first. A result that the host handed over counts; without one
 *     the turn has failed, and is not run again unless that was asked for.
 * U3  A turn that had claimed and not begun gives its lease back, and has no end to tell of.
 */

import { leaseOf } from "../core/goal/fence.ts";
import { chooseResult } from "../core/host/result-channels.ts";
import type { HostWord, TurnRecord } from "../core/host/turn-record.ts";
import type { AgentId } from "../core/id.ts";
import { millisecondsBetween } from "../core/instant.ts";
import { endLeftovers } from "./end-leftovers.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";
import { hostPhase, type Running, settlePhase } from "./run-turn.ts";
import type { TurnContext } from "./turn-context.ts";
import { freeLeaseOfTurn } from "./turn-lease.ts";
import type { RunPorts } from "./turn-ports.ts";
import type { WritingWorkspace } from "./workspace.ts";

export interface Resuming {
  readonly running: Running;
  readonly rows: RegistryRows;
  readonly agent: AgentId;
  readonly retry_host: boolean;
}

/** Of one goal, oldest first, all of them settled. */
export async function resumeTurns(
  workspace: WritingWorkspace,
  registered: RegisteredGoal,
  resuming: Resuming,
): Promise<readonly TurnRecord[]> {
  const { running, rows, agent } = resuming;
  const { records, problems } = running.ports.records.list(registered.goal.goal_id);
  for (const { code, message, path } of problems) workspace.log.write("warn", "turn.record_unreadable", { code, message, path });
  const settled: TurnRecord[] = [];
  for (const record of records) {
    if (record.agent_id !== agent || isRunning(running.ports, record)) continue; // (U1)
    const ended = await resume(workspace, { rows, registered, agent, record }, resuming);
    if (ended !== null) settled.push(ended);
  }
  return settled;
}

/** Of another process: a turn of this one that is in its record has been cut off in it. */
function isRunning({ identities }: RunPorts, { runner }: TurnRecord): boolean {
  return runner.pid !== identities.self().pid && identities.isAlive(runner);
}

async function resume(workspace: WritingWorkspace, context: TurnContext, resuming: Resuming): Promise<TurnRecord | null> {
  const { record } = context;
  const { ports, settings } = resuming.running;
  await endLeftovers(ports, record); // (U2)
  switch (record.phase.kind) {
    case "claiming":
      await freeLeaseOfTurn(workspace, context);
      ports.records.remove(record);
      return null; // (U3)
    case "hosting": {
      const { epoch } = record.phase;
      const word = await wordAfterCut(workspace, context, { resuming, epoch });
      return await settlePhase(workspace, context, { ports, settings, epoch, word });
    }
    case "judged":
      return await settlePhase(workspace, context, { ports, settings, ...record.phase });
    case "settled":
      return record;
  }
}

interface Cut {
  readonly resuming: Resuming;
  readonly epoch: number;
}

const UNKNOWN: HostWord = {
  kind: "failed",
  failure: { kind: "crashed", cause: { kind: "unknown" } },
  usage: { wall_ms: 0 },
};

/** U2. */
async function wordAfterCut(workspace: WritingWorkspace, context: TurnContext, { resuming, epoch }: Cut): Promise<HostWord> {
  const { record } = context;
  const { ports } = resuming.running;
  const file = ports.places.readResult(ports.records.paths(record.goal_id, record.turn_id).result);
  const chosen = chooseResult({ file, structured: null, fenced: null }, record);
  if (chosen.kind === "said") {
    return chosen.checked.ok
      ? { kind: "result", result: chosen.checked.result, usage: { ...chosen.checked.result.usage, wall_ms: 0 } }
      : { kind: "failed", failure: { kind: "output_invalid", problems: chosen.checked.problems }, usage: { wall_ms: 0 } };
  }
  return resuming.retry_host ? await hostAgain(workspace, context, { resuming, epoch }) : UNKNOWN;
}

async function hostAgain(workspace: WritingWorkspace, context: TurnContext, { resuming, epoch }: Cut): Promise<HostWord> {
  const { goal_id, todo_id } = context.record;
  const { head, todos } = await workspace.store.load({ goal_id, todos: [todo_id], base: "none" });
  const lease = head === null ? null : leaseOf(head, todo_id);
  const todo = todos.get(todo_id);
  if (lease?.epoch !== epoch || todo === undefined) return { kind: "lease_lost", usage: { wall_ms: 0 } };
  const left_ms = millisecondsBetween(workspace.clock.now(), lease.expires_at);
  return await hostPhase(workspace, context, { running: resuming.running, todo, epoch, left_ms, earlier_result: "counts" });
}
