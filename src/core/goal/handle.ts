/**
 * Which facts follow from a command, or why none may: the one judgement over a goal's state.
 *
 * Does not own: reading files, choosing `now`, storing (T3), and the decision what to do next (`core/next`).
 *
 * G4  A refused command has no events.
 * G5  A goal that is archived or on its way takes no facts but those that finish the way.
 * G6  A stopped goal records no run and gives out no work; what is under way may still be reported and closed.
 */
import type { GoalFact } from "../events.ts";
import type { Instant } from "../instant.ts";
import type { Refusal } from "../result.ts";
import { refuse } from "../result.ts";
import { finishArchive, finishRestore, startArchive, startRestore } from "./archive.ts";
import type { GoalCommand } from "./command.ts";
import { decideGate } from "./gate.ts";
import type { GoalHead, GoalState } from "./head.ts";
import { handleLease, type LeaseCommand, type LeaseState } from "./lease.ts";
import { handleMonitor } from "./monitor.ts";
import { acceptPlan, setNextAction, settleConflicts } from "./plan.ts";
import { handleTodo, type TodoCommand } from "./todo.ts";
import { handleTurn, type TurnCommand } from "./turn.ts";

export type Handled = readonly GoalFact[] | Refusal;

export function handle(state: GoalState, command: GoalCommand, now: Instant): Handled {
  if (command.kind === "open-goal") return openGoal(state, command);
  if (state.head === null) return refuse("goal_not_opened", "LoopX has no journal of this goal yet.");
  switch (command.kind) {
    case "start-archive":
      return startArchive(state.head, command);
    case "finish-archive":
      return finishArchive(state.head);
    case "start-restore":
      return startRestore(state.head, command);
    case "finish-restore":
      return finishRestore(state.head);
    default:
      return onTheWay(state.head) ?? handleStanding({ ...state, head: state.head, now }, command);
  }
}

/** An agent that was at work when the goal was stopped may still say what it did. */
const WHILE_STOPPED: ReadonlySet<GoalCommand["kind"]> = new Set<GoalCommand["kind"]>([
  "set-activation",
  "accept-plan",
  "set-next-action",
  "settle-conflicts",
  "add-todo",
  "change-todo",
  "close-todo",
  "decide-gate",
  "renew-lease",
  "free-lease",
  "clamp-leases",
  "write-turn",
  "spend",
  "charge-turn",
  "void-spend",
  "record-evidence",
  "measure-runtime",
  "release-agent",
]);

type StandingCommand = Exclude<
  GoalCommand,
  { kind: "open-goal" | "start-archive" | "finish-archive" | "start-restore" | "finish-restore" }
>;

function handleStanding(state: LeaseState, command: StandingCommand): Handled {
  if (state.head.lifecycle.kind === "stopped" && !WHILE_STOPPED.has(command.kind)) return stopped(state.head); // (G6)
  switch (command.kind) {
    case "set-activation":
      return setActivation(state.head, command);
    case "accept-plan":
      return acceptPlan(state, command);
    case "set-next-action":
      return setNextAction(state.head, command.text);
    case "settle-conflicts":
      return settleConflicts(state.head, command.fields);
    case "record-run":
      return [{ type: "run.recorded", data: command.run }];
    case "decide-gate":
      return decideGate(state, command);
    case "poll-monitor":
    case "wake-todo":
      return handleMonitor(state, command);
    default:
      return handleAgents(state, command);
  }
}

/** What agents do to todos, leases and turns. */
function handleAgents(state: LeaseState, command: TodoCommand | LeaseCommand | TurnCommand): Handled {
  switch (command.kind) {
    case "add-todo":
    case "change-todo":
    case "close-todo":
      return handleTodo(state, command);
    case "take-lease":
    case "renew-lease":
    case "move-lease":
    case "free-lease":
    case "clamp-leases":
      return handleLease(state, command);
    default:
      return handleTurn(state, command);
  }
}

function openGoal(state: GoalState, command: Extract<GoalCommand, { kind: "open-goal" }>): Handled {
  const head = state.head;
  if (head === null || head.lifecycle.kind === "archived") {
    const fence = head === null || head.fence === 0 ? {} : { fence: head.fence };
    return [{ type: "goal.opened", data: { registry: command.registry, ...fence } }];
  }
  if (head.registry === command.registry) return [];
  return refuse("goal_belongs_to", `Goal ${head.goal_id} under this runtime root belongs to ${head.registry}.`, {
    fix: `loopx status --registry ${quote(head.registry)} --goal-id ${quote(head.goal_id)}`,
    details: { goal_id: head.goal_id, registry: head.registry },
  });
}

function setActivation(head: GoalHead, command: Extract<GoalCommand, { kind: "set-activation" }>): Handled {
  if (command.activation === "active") {
    return head.lifecycle.kind === "active" ? [] : [{ type: "goal.activated", data: { reason: command.reason } }];
  }
  const same = head.lifecycle.kind === "stopped" && head.lifecycle.reason === command.reason;
  return same ? [] : [{ type: "goal.stopped", data: { reason: command.reason } }];
}

function stopped(head: GoalHead): Refusal {
  const { lifecycle } = head;
  const [reason, since] = lifecycle.kind === "stopped" ? [lifecycle.reason, lifecycle.since] : ["", null];
  return refuse("goal_stopped", `Goal ${head.goal_id} is stopped${reason === "" ? "" : `: ${reason}`}.`, {
    fix: `loopx goal resume --goal-id ${quote(head.goal_id)}`,
    details: { goal_id: head.goal_id, since },
  });
}

/** (G5) */
function onTheWay(head: GoalHead): Refusal | null {
  switch (head.lifecycle.kind) {
    case "archived":
      return refuse("goal_archived", `Goal ${head.goal_id} is archived at ${head.lifecycle.target}.`, {
        fix: `loopx restore --goal-id ${quote(head.goal_id)}`,
        details: { goal_id: head.goal_id, archive_path: head.lifecycle.target },
      });
    case "archiving":
    case "restoring":
      return refuse("goal_moving", `Goal ${head.goal_id} is on its way to ${head.lifecycle.target}.`, {
        fix: `loopx archives --goal-id ${quote(head.goal_id)}`,
        details: { goal_id: head.goal_id, target: head.lifecycle.target },
      });
    default:
      return null;
  }
}

/** A word for a command line that a person can paste into a POSIX shell. */
export function quote(word: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
