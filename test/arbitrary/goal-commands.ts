/** What a step asks for, as commands on the goal as it stands. */
import type { GoalCommand } from "../../src/core/goal/command.ts";
import { type Fence, leaseOf } from "../../src/core/goal/fence.ts";
import { lineOf } from "../../src/core/goal/goal.sample.ts";
import type { GoalHead, GoalState } from "../../src/core/goal/head.ts";
import type { AgentId, TodoId } from "../../src/core/id.ts";
import { addMilliseconds, type Instant } from "../../src/core/instant.ts";
import type { PlanChange } from "../../src/core/plan/compare.ts";
import type { PlanTodo } from "../../src/core/plan/plan.ts";
import type { Ask, Proof, Step } from "./goal-steps.ts";

export const REGISTRY = "/project/.loopx/registry.json";

/** What the step asks for on the state that stands; empty where it makes no sense. */
export function commandsOf({ agent, ask }: Step, { head, todos }: GoalState, now: Instant): readonly GoalCommand[] {
  if (head === null) return [{ kind: "open-goal", registry: REGISTRY }];
  const fence = (id: TodoId, proof: Proof): Fence => fenceOf({ head, todos }, { id, proof, agent });
  switch (ask.do) {
    case "add":
      return [{ kind: "add-todo", todo: ask.todo }];
    case "change":
      return [{ kind: "change-todo", todo_id: ask.id, fields: ask.fields, fence: fence(ask.id, ask.proof) }];
    case "close":
      return [
        {
          kind: "close-todo",
          todo_id: ask.id,
          outcome: ask.outcome,
          next: ask.next,
          fields: {},
          fence: fence(ask.id, ask.proof),
        },
      ];
    case "answer":
      return [{ kind: "decide-gate", todo_id: ask.id, outcome: ask.outcome, reason: "so", by: "person", until: null }];
    case "take":
      return agent === null ? [] : [takeBy(agent, ask)];
    case "renew":
      return [{ kind: "renew-lease", todo_id: ask.id, ttl_ms: null, fence: fence(ask.id, ask.proof) }];
    case "free":
      return [{ kind: "free-lease", todo_id: ask.id, reason: "released", fence: fence(ask.id, ask.proof) }];
    case "move":
      return [{ kind: "move-lease", todo_id: ask.id, to: ask.to, key: "moved", fence: fence(ask.id, ask.proof) }];
    case "clamp":
      return [{ kind: "clamp-leases" }];
    default:
      return commandsOfTurns({ agent, ask }, { head, todos }, now);
  }
}

function takeBy(owner: AgentId, ask: Extract<Ask, { do: "take" }>): GoalCommand {
  const { id, ttl, scopes, turn } = ask;
  const reserved = { slots: 1, tokens: 0, wall_ms: 0 };
  const lease = {
    todo_id: id,
    owner,
    ttl_ms: ttl,
    write_scopes: scopes,
    reserved,
    key: "k",
    ...(turn !== null && { turn_id: turn }),
  };
  return { kind: "take-lease", lease };
}

function commandsOfTurns(
  { agent, ask }: { readonly agent: AgentId | null; readonly ask: Ask },
  state: GoalState & { readonly head: GoalHead },
  now: Instant,
): readonly GoalCommand[] {
  switch (ask.do) {
    case "open_turn":
      return [
        {
          kind: "open-turn",
          turn: { turn_id: ask.turn, act: "run", why: "work", todo_id: null, request: ask.request, answer: {} },
        },
      ];
    case "write_turn": {
      const { turn, id, outcome, seen } = ask;
      return [
        { kind: "write-turn", turn: { turn_id: turn, todo_id: id, outcome, summary: "s", observation: seen, evidence: [] } },
      ];
    }
    case "spend":
      return [{ kind: "spend", turn_id: ask.turn, agent_id: agent, todo_id: null, units: ask.units, source: "agent" }];
    case "wait":
      return [{ kind: "hold-agent", until: addMilliseconds(now, ask.minutes * 60_000), reason: "limit" }];
    case "go_on":
      return agent === null ? [] : [{ kind: "release-agent", agent_id: agent, reason: "said so" }];
    case "poll":
      return [{ kind: "poll-monitor", todo_id: ask.id, result_hash: ask.hash, material_change: null }];
    case "wake":
      return [{ kind: "wake-todo", todo_id: ask.id }];
    case "stop":
      return [{ kind: "set-activation", activation: "stopped", reason: "pause" }];
    case "resume":
      return [{ kind: "set-activation", activation: "active", reason: "" }];
    case "begin_again":
      return [
        { kind: "start-archive", source: "/runtime/goals/g", target: "/runtime/archived-goals/g" },
        { kind: "finish-archive" },
        { kind: "open-goal", registry: REGISTRY },
      ];
    default:
      return editOf(ask, state);
  }
}

function fenceOf(
  { head, todos }: GoalState & { readonly head: GoalHead },
  { id, proof, agent }: { readonly id: TodoId; readonly proof: Proof; readonly agent: AgentId | null },
): Fence {
  const newest = todos.get(id)?.lease_epoch ?? 0;
  const lease = leaseOf(head, id);
  const holder = { agent_id: lease?.owner ?? agent };
  const none: Fence = { agent_id: agent, turn_id: null, epoch: null, key: null, version: null };
  switch (proof) {
    case "none":
      return none;
    case "newest":
      return { ...none, ...holder, epoch: newest };
    case "old":
      return { ...none, epoch: Math.max(0, newest - 1) };
    case "key":
      return { ...none, ...holder, key: lease?.key ?? "k", version: lease?.version ?? 1 };
  }
}

/** What an editor saved, on a base in which the todo stood as it does, or otherwise. */
function editOf(ask: Ask, { todos }: GoalState): readonly GoalCommand[] {
  if (ask.do === "write_line") return accepting([{ kind: "todo_appeared", todo: lineOf(ask.todo) }], new Map());
  if (ask.do !== "edit" && ask.do !== "erase" && ask.do !== "rename") return [];
  const todo = todos.get(ask.id);
  if (todo === undefined) return [];
  const base = new Map([
    [ask.id, lineOf(ask.do === "edit" && ask.base === "older" ? { ...todo, status: "open", metadata: {} } : todo)],
  ]);
  if (ask.do === "erase") return accepting([{ kind: "todo_missing", todo_id: ask.id, heading_present: true }], base);
  const after = ask.do === "rename" ? { ...todo, todo_id: ask.to } : { ...todo, ...ask.fields };
  return accepting([{ kind: "todo_changed", todo_id: ask.id, todo: lineOf(after), fields: [] }], base);
}

function accepting(changes: readonly PlanChange[], base: ReadonlyMap<TodoId, PlanTodo>): readonly GoalCommand[] {
  return [{ kind: "accept-plan", changes, base }];
}
