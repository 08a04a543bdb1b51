/**
 * One turn of an agent: claimed, run on its host, settled. Each phase is in the turn's record before it begins, so that a kill at any
 * point leaves something that `resume-turns.ts` goes on from.
 *
 * Does not own: which todo (`run-loop.ts`), the host's process (`host-turn.ts`), what a result leads to (`settle-turn.ts`).
 *
 * T1  No lock and no transaction is held while the host runs: the lease is what keeps the todo.
 * T2  The host runs once for a turn. A turn that has been at `hosting` before is run again only by who asks for it.
 * T3  What a turn came to is stored, in the goal's journal and then in its record, before anybody is told; the record stays until it
 *     was told.
 * T4  Whoever takes a todo over from a run that was killed works alone: what that one left is ended before the host runs.
 */
import type { TodoRecord } from "../core/events.ts";
import {
  type HostWord,
  type SettledTurn,
  TURN_RECORD_SCHEMA,
  type TurnPhase,
  type TurnRecord,
} from "../core/host/turn-record.ts";
import { type AgentId, parseTurnId, type TurnId } from "../core/id.ts";
import { millisecondsBetween, parseInstant } from "../core/instant.ts";
import { done, type Reply } from "../core/result.ts";
import type { HostTurn } from "../ports/agent-host.ts";
import { claim } from "./claim.ts";
import { endLeftoversBeside } from "./end-leftovers.ts";
import { placesOf } from "./goal-places.ts";
import { type HostOutcome, runHostTurn } from "./host-turn.ts";
import type { RegisteredGoal, RegistryRows } from "./registry-rows.ts";
import { settleTurn } from "./settle-turn.ts";
import type { TurnContext } from "./turn-context.ts";
import { keepingOf } from "./turn-lease.ts";
import type { RunPorts, TurnSettings } from "./turn-ports.ts";
import type { WritingWorkspace } from "./workspace.ts";

export interface TurnPlan {
  readonly rows: RegistryRows;
  readonly registered: RegisteredGoal;
  readonly agent: AgentId;
  readonly todo: TodoRecord;
  readonly act: "run" | "poll";
  readonly turn_id: TurnId;
}

export interface Running {
  readonly ports: RunPorts;
  readonly settings: TurnSettings;
  /** Stops the host; the turn is then settled as stopped. */
  readonly signal: AbortSignal;
  readonly tell: (step: "claimed" | "turn_started", record: TurnRecord, epoch: number) => void;
}

export function newTurnId({ ids }: Pick<WritingWorkspace, "ids">): TurnId {
  const id = parseTurnId(`turn-${ids.suffix()}${ids.suffix()}`);
  if (id === null) throw new Error("a suffix is letters and digits");
  return id;
}

/** What the host gets of it. */
export function hostTurnOf(
  workspace: WritingWorkspace,
  { ports, settings }: Pick<Running, "ports" | "settings">,
  { registered, agent, todo, turn_id }: Pick<TurnPlan, "registered" | "agent" | "todo" | "turn_id">,
): HostTurn {
  const { goal } = registered;
  const { runtime_root, registry_path } = workspace.roots;
  return {
    ...{ goal_id: goal.goal_id, agent_id: agent, todo_id: todo.todo_id, turn_id },
    ...{ runtime_root, registry: registry_path, session_marker: settings.session_marker },
    result_file: ports.records.paths(goal.goal_id, turn_id).result,
    workspace: settings.workspace ?? placesOf(workspace, goal).repo,
    run: settings.run ?? todo.metadata["run"] ?? declaredRun(registered),
    prompt: todo.text,
    session_id: null,
  };
}

function declaredRun({ goal }: RegisteredGoal): string | null {
  const run = goal.entry["run"];
  if (run === undefined || run === null) return null;
  return typeof run === "string" ? run : JSON.stringify(run);
}

/** A no: the todo could not be claimed, and nothing began. */
export async function runTurn(workspace: WritingWorkspace, plan: TurnPlan, running: Running): Promise<Reply<TurnRecord>> {
  const { ports, settings } = running;
  const context = { ...plan, record: newRecord(workspace, plan, running) };
  ports.records.put(context.record);
  const claimed = await claimedFor(workspace, context, running);
  if (claimed.kind !== "done") {
    ports.records.remove(context.record);
    return claimed;
  }
  running.tell("claimed", context.record, claimed.value.epoch);
  const word = await hostPhase(workspace, context, { running, todo: plan.todo, ...claimed.value, earlier_result: "discard" });
  return done(await settlePhase(workspace, context, { ports, settings, epoch: claimed.value.epoch, word }));
}

function newRecord(workspace: WritingWorkspace, plan: TurnPlan, { ports, settings }: Running): TurnRecord {
  const { registered, agent, todo, act, turn_id } = plan;
  return {
    schema_version: TURN_RECORD_SCHEMA,
    ...{ turn_id, goal_id: registered.goal.goal_id, agent_id: agent, todo_id: todo.todo_id, text: todo.text.slice(0, 500), act },
    ...{ host: settings.host.name, session_marker: settings.session_marker },
    runner: ports.identities.self(),
    begun_at: workspace.clock.now(),
    phase: { kind: "claiming" },
  };
}

interface Claimed {
  readonly epoch: number;
  readonly left_ms: number;
}

async function claimedFor(workspace: WritingWorkspace, { record }: TurnContext, running: Running): Promise<Reply<Claimed>> {
  const { ports, settings } = running;
  const reply = await claim(workspace, {
    ...{ goalId: record.goal_id, agentId: record.agent_id, todoId: record.todo_id, turnInstanceId: record.turn_id },
    ...{ instance: settings.instance, ttlSeconds: settings.ttl_ms / 1000, capabilities: settings.capabilities },
    ...{ writeScopes: [], idempotencyKey: null, dryRun: false },
  });
  if (reply.kind !== "done") return reply;
  const { lease } = reply.value;
  if (lease === null) throw new Error("a todo that is claimed by name has a lease or a refusal");
  await endLeftoversBeside(ports, record); // (T4)
  const expires = parseInstant(lease.expires_at) ?? workspace.clock.now();
  return done({ epoch: lease.epoch, left_ms: millisecondsBetween(workspace.clock.now(), expires) });
}

export interface HostPhase extends Claimed {
  readonly running: Running;
  readonly todo: TodoRecord;
  readonly earlier_result: "counts" | "discard";
}

/** T1, T2. */
export async function hostPhase(workspace: WritingWorkspace, context: TurnContext, phase: HostPhase): Promise<HostWord> {
  const { running, epoch, left_ms } = phase;
  const { ports, settings } = running;
  const { record, agent } = context;
  putPhase(ports, record, { kind: "hosting", epoch });
  running.tell("turn_started", record, epoch);
  const turn = hostTurnOf(workspace, running, { ...context, todo: phase.todo, turn_id: record.turn_id });
  const outcome = await runHostTurn(ports, {
    ...{ host: settings.host, turn, limits: settings.limits, earlier_result: phase.earlier_result, signal: running.signal },
    log_path: settings.log_dir === null ? null : `${settings.log_dir}/${encodeURIComponent(agent)}/${record.turn_id}.log`,
    lease: keepingOf(workspace, context, { epoch, left_ms, ttl_ms: settings.ttl_ms }),
  });
  return wordOf(outcome);
}

const NOTHING_USED = { wall_ms: 0 } as const;

function wordOf(outcome: HostOutcome): HostWord {
  switch (outcome.kind) {
    case "result":
      return { kind: "result", result: outcome.result, usage: outcome.usage };
    case "failed":
      return { kind: "failed", failure: outcome.failure, usage: outcome.usage };
    case "lease_lost":
    case "stopped":
      return { kind: outcome.kind, usage: outcome.usage };
    case "not_started":
      return { kind: "not_started", code: outcome.no.code, message: outcome.no.message, usage: NOTHING_USED };
    case "already_said":
      return outcome.checked.ok
        ? { kind: "result", result: outcome.checked.result, usage: { ...outcome.checked.result.usage, wall_ms: 0 } }
        : { kind: "failed", failure: { kind: "output_invalid", problems: outcome.checked.problems }, usage: NOTHING_USED };
  }
}

export interface SettlePhase {
  readonly ports: RunPorts;
  readonly settings: Pick<TurnSettings, "validation">;
  readonly epoch: number;
  readonly word: HostWord;
}

/** T3. */
export async function settlePhase(workspace: WritingWorkspace, context: TurnContext, phase: SettlePhase): Promise<TurnRecord> {
  const { ports, settings, epoch, word } = phase;
  const judged = putPhase(ports, context.record, { kind: "judged", epoch, word });
  const settled: SettledTurn = await settleTurn(
    workspace,
    { ...context, record: judged },
    { epoch, word, settings, random: ports.random, scheduler: ports.scheduler },
  );
  return putPhase(ports, judged, { kind: "settled", settled });
}

function putPhase({ records }: RunPorts, record: TurnRecord, phase: TurnPhase): TurnRecord {
  const moved = { ...record, phase };
  records.put(moved);
  return moved;
}
