/** One request of a simulated world, carried out: what the asker hears, and the step that is checked. */
import type { GoalEvent, GoalEventType, Lease, TodoRecord } from "../../core/events.ts";
import { leaseOf } from "../../core/goal/fence.ts";
import { kindOf } from "../../core/goal/todo-traits.ts";
import type { TodoId } from "../../core/id.ts";
import type { SimAnswer, SimRequest } from "../../core/sim/request.ts";
import type { Decided, Step } from "../../core/sim/step.ts";
import type { Receipt } from "../../ports/store.ts";
import { askedOf } from "./asked.ts";
import { type Answered, claim, decisionLoad, openTurn, readNext } from "./decide.ts";
import { type SimGoal, type SimWritten, write } from "./goal.ts";

export type Carried = Omit<Step, "number" | "passed" | "wall" | "positions" | "request">;

export interface Heard {
  readonly answer: SimAnswer;
  readonly carried: Carried;
}

export async function ask(goal: SimGoal, request: SimRequest): Promise<Heard> {
  switch (request.kind) {
    case "next": {
      const decided = await readNext(goal, request);
      return { answer: told(decided), carried: { ...ofRead(decided), decided, turn_answer: null } };
    }
    case "open_turn":
      return await opened(goal, await openTurn(goal, request));
    case "claim":
      return await claimed(goal, request, await claim(goal, request));
    default: {
      const asked = askedOf(goal, request);
      const load = "agent" in request ? { ...decisionLoad(goal, request.agent, 1), ...asked.load } : asked.load;
      const written = await write(goal, { ...asked, load });
      return { answer: plainAnswer(written), carried: carriedOf(written, null) };
    }
  }
}

function ofRead({ state, now }: Decided): Omit<Carried, "decided" | "turn_answer"> {
  const plain = { refused: null, replayed: false, failed: false };
  return { at: now, before: state.head, events: [], head: null, put: [], removed: [], ...plain };
}

function told({ decision }: Decided): SimAnswer {
  const { act, why, todo, wait } = decision;
  return { kind: "told", told: { act, why, todo_id: todo?.todo_id ?? null, until: wait?.until ?? null } };
}

function plainAnswer({ failed, refused }: SimWritten): SimAnswer {
  if (failed) return { kind: "unknown" };
  return refused === null ? { kind: "written" } : { kind: "refused", code: refused };
}

function carriedOf(written: SimWritten, decided: Decided | null, turn_answer: string | null = null): Carried {
  const { draft: _draft, receipt: _receipt, ...rest } = written;
  return { ...rest, decided, turn_answer };
}

async function opened(goal: SimGoal, { written, decided }: Answered): Promise<Heard> {
  if (written.receipt !== null) {
    const event = await provenBy(goal, written.receipt, "turn.decided");
    const answer = event?.type === "turn.decided" ? event.data : null;
    const told = { act: answer?.act ?? "wait", why: answer?.why ?? "empty", todo_id: answer?.todo_id ?? null, until: null };
    const carried = carriedOf(written, null, JSON.stringify(answer?.answer ?? null));
    return { answer: { kind: "told", told } as SimAnswer, carried };
  }
  const settled = written.refused === null && !written.failed && written.events.some(({ type }) => type === "turn.decided");
  const carried = carriedOf(written, decided, settled && decided !== null ? JSON.stringify(decided.payload) : null);
  if (written.failed || written.refused !== null || decided === null) return { answer: plainAnswer(written), carried };
  return { answer: told(decided), carried };
}

async function provenBy(
  { store, registered }: SimGoal,
  { generation, seq }: Receipt,
  type: GoalEventType,
): Promise<GoalEvent | undefined> {
  const { goal_id } = registered().goal;
  const [event] = await store.events({ goal_id, generation, type, order: "newest_first", beyond_seq: seq + 1, limit: 1 });
  return event;
}

async function claimed(
  goal: SimGoal,
  question: Extract<SimRequest, { kind: "claim" }>,
  { written, decided }: Answered,
): Promise<Heard> {
  if (written.receipt !== null) return { answer: await claimedBefore(goal, written.receipt), carried: carriedOf(written, null) };
  const carried = carriedOf(written, decided);
  if (written.failed || written.refused !== null) return { answer: plainAnswer(written), carried };
  const asked = question.todo_id ?? givenBy(decided);
  const { head, todos } = written.draft ?? { head: null, todos: new Map<TodoId, TodoRecord>() };
  const lease = head === null || asked === null ? null : leaseOf(head, asked);
  const todo = asked === null ? undefined : todos.get(asked);
  if (lease !== null && todo !== undefined) return { answer: claimOf(lease, todo), carried };
  return { answer: decided === null ? { kind: "written" } : told(decided), carried };
}

/** What a claim that names nothing takes up. */
function givenBy(decided: Decided | null): TodoId | null {
  const { act, todo } = decided?.decision ?? { act: "wait", todo: null };
  return act === "run" || act === "poll" ? (todo?.todo_id ?? null) : null;
}

function claimOf({ todo_id, epoch }: Pick<Lease, "todo_id" | "epoch">, todo: TodoRecord | undefined): SimAnswer {
  return { kind: "claimed", todo_id, epoch, is_monitor: todo !== undefined && kindOf(todo) === "monitor" };
}

async function claimedBefore(goal: SimGoal, receipt: Receipt): Promise<SimAnswer> {
  const event = await provenBy(goal, receipt, "lease.taken");
  if (event?.type !== "lease.taken") return { kind: "refused", code: "receipt_without_lease" };
  const { todo_id } = event.data;
  const { todos } = await goal.store.load({ goal_id: goal.registered().goal.goal_id, todos: [todo_id], base: "none" });
  return claimOf(event.data, todos.get(todo_id));
}
