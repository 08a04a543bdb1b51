/**
 * What a request of a simulated world is as a write: what it needs to have loaded, what proves it, which commands follow.
 *
 * Does not own: the commands of a claim (`core/next/claim.ts`) and of a finished todo (`done-commands.ts`): they are the real ones.
 */
import type { Evidence } from "../../core/events.ts";
import type { GoalCommand } from "../../core/goal/command.ts";
import type { GoalDraft } from "../../core/goal/draft.ts";
import { todosOfCommand } from "../../core/goal/todos-of-command.ts";
import type { AgentId, TodoId, TurnId } from "../../core/id.ts";
import type { Instant } from "../../core/instant.ts";
import type { BadInput, Refusal } from "../../core/result.ts";
import type { Hand, SimRequest } from "../../core/sim/request.ts";
import type { Check } from "../../core/verify/acceptance.ts";
import { DEFAULT_CAPABILITY } from "../../core/verify/capability.ts";
import type { LoadRequest } from "../../ports/store.ts";
import type { DoneRequest } from "../app.ts";
import { doneKey } from "../done-asked.ts";
import { doneCommands } from "../done-commands.ts";
import type { RegistryRows } from "../registry-rows.ts";
import type { Actor } from "../transact.ts";
import { checksOf } from "../verify-todo.ts";
import { settleKey } from "../write-ending.ts";
import type { Idempotency, WriteMaterial } from "../write-goal.ts";
import { type End, endCommands } from "./end.ts";
import type { SimGoal } from "./goal.ts";
import { fenceOf, proof } from "./hand.ts";

export type Write = Exclude<SimRequest, { kind: "next" | "open_turn" | "claim" }>;

export interface Asked {
  readonly actor: Actor;
  readonly load: Pick<LoadRequest, "todos" | "needs_of">;
  readonly idempotency: Idempotency | null;
  readonly commands: (draft: GoalDraft, material: WriteMaterial) => readonly GoalCommand[] | Refusal | BadInput;
}

export function askedOf(goal: SimGoal, request: Write): Asked {
  switch (request.kind) {
    case "plan":
      return {
        ...of(request.by === "person" ? null : request.by, null),
        load: loadFor(request.commands),
        commands: () => request.commands,
      };
    case "bill":
      return {
        ...of(request.agent, request.turn),
        load: { todos: "none" },
        commands: () => [
          { kind: "spend", turn_id: request.turn, agent_id: request.agent, todo_id: null, units: request.units, source: "bill" },
        ],
      };
    case "done":
      return finishing(goal, request);
    case "end":
    case "poll":
      return {
        ...held(request),
        idempotency: proof(settleKey(request.turn), "settle", "turn.written"),
        commands: (draft, material) => endCommands(goal, request, { draft, material }),
      };
    default:
      return { ...held(request), commands: () => [{ kind: "clamp-leases" }, ...simple(request)] };
  }
}

function of(agent: AgentId | null, turn: TurnId | null): Pick<Asked, "actor" | "idempotency"> {
  return { actor: { ...(agent !== null && { agent_id: agent }), ...(turn !== null && { turn_id: turn }) }, idempotency: null };
}

function held({ agent, turn, todo_id }: Hand): Pick<Asked, "actor" | "idempotency" | "load"> {
  return { ...of(agent, turn), load: { todos: [todo_id] } };
}

function simple(request: Exclude<Write, { kind: "plan" | "bill" | "done" | End["kind"] }>): readonly GoalCommand[] {
  const { todo_id } = request;
  const fence = fenceOf(request);
  switch (request.kind) {
    case "renew":
      return [{ kind: "renew-lease", todo_id, ttl_ms: null, fence }];
    case "release":
      return [{ kind: "free-lease", todo_id, reason: "released", fence }];
    case "hand_over":
      return [{ kind: "move-lease", todo_id, to: request.to, key: null, fence }];
  }
}

/** Everything that one of them needs. */
function loadFor(commands: readonly GoalCommand[]): Asked["load"] {
  const needed = commands.map(todosOfCommand);
  const ids = new Set<TodoId>();
  for (const { todos } of needed) {
    if (todos === "all") return { todos: "all" };
    for (const id of todos) ids.add(id);
  }
  return { todos: [...ids], needs_of: needed.flatMap(({ needs_of }) => needs_of) };
}

type Done = Extract<SimRequest, { kind: "done" }>;

const CHECK: Check = { label: "tests", argv: ["npm", "test"], timeout_seconds: 60, inputs: null, capability: DEFAULT_CAPABILITY };

function finishing(goal: SimGoal, request: Done): Asked {
  return {
    ...held(request),
    idempotency: proof(doneKey(request.turn), JSON.stringify(request), "todo.closed"),
    commands: (draft, material) => finishCommands(goal, request, { draft, material }),
  };
}

function finishCommands(
  goal: SimGoal,
  request: Done,
  { draft, material }: { readonly draft: GoalDraft; readonly material: WriteMaterial },
): readonly GoalCommand[] | Refusal | BadInput {
  const { agent, turn, todo_id, next, gate_id } = request;
  const todo = draft.todos.get(todo_id);
  const verified = {
    checks: todo === undefined ? "" : checksOf(todo),
    declared: [CHECK],
    evidence: [evidenceOf(request)],
    tree_hash: null,
    observation: `${turn} done`,
  };
  const asked = { registered: goal.registered(), agent, turn, successors: next, gate_id, request: doneRequest(request) };
  return doneCommands({ ...asked, rows: NO_ROWS }, { draft, material, todo_id, verified, outcome: { moved: false } });
}

function doneRequest({ agent, turn, todo_id, next, epoch, used }: Done): DoneRequest {
  const noFollowUp = next.length === 0;
  return {
    ...{ goalId: null, agentId: agent, todoId: todo_id, summary: "done", next: next.map(({ text }) => text) },
    ...{ noFollowUp, reason: noFollowUp ? "that was all" : null, leaseEpoch: epoch, leaseKey: null, leaseVersion: null },
    ...{ turnInstanceId: turn, slots: used.slots, tokens: used.tokens, wallMs: used.wall_ms, noCache: false, dryRun: false },
  };
}

/** No registry is read in a simulated world. */
const NO_ROWS: RegistryRows = {
  ...{ path: "", goal_count: 1, fingerprint: "", changed_at: "" as Instant, writable: "yes", problems: [] },
  ...{ schema_version: null, updated_at: null, registry_role: null },
  find: async () => [],
  page: async () => [],
};

function evidenceOf({ todo_id, checks }: Done): Evidence {
  const passed = checks === "pass";
  return {
    label: CHECK.label,
    argv: CHECK.argv,
    todo_id,
    outcome: passed ? "passed" : "failed",
    exit_code: passed ? 0 : 1,
    duration_ms: 1200,
    tree_hash: null,
    environment: null,
    output: null,
  };
}
