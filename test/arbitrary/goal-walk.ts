/** Goes through steps on a goal that is held whole in memory, and keeps what happened at each of them. */
import { beginJudging, changeOf, judge } from "../../src/commands/transact.ts";
import type { GoalEvent } from "../../src/core/events.ts";
import type { GoalCommand } from "../../src/core/goal/command.ts";
import type { GoalState } from "../../src/core/goal/head.ts";
import { type GoalId, parseGoalId } from "../../src/core/id.ts";
import { addMilliseconds, type Instant, parseInstant } from "../../src/core/instant.ts";
import { commandsOf, REGISTRY } from "./goal-commands.ts";
import type { Step } from "./goal-steps.ts";

const parsed = parseGoalId("g");
if (!parsed.ok) throw new Error("no goal id");
export const G: GoalId = parsed.id;

export const START: Instant = parseInstant("2026-01-01T00:00:00Z") ?? ("" as Instant);

export interface Visit {
  readonly step: Step;
  readonly commands: readonly GoalCommand[];
  readonly at: Instant;
  readonly before: GoalState;
  readonly after: GoalState;
  readonly events: readonly GoalEvent[];
  /** Code of the refusal; null: accepted. */
  readonly refused: string | null;
}

const OPENING: readonly GoalCommand[] = [{ kind: "open-goal", registry: REGISTRY }];

export function walk(steps: readonly Step[]): readonly Visit[] {
  let clock = START;
  let state: GoalState = { head: null, todos: new Map() };
  const visits: Visit[] = [];
  const visit = (step: Step, commandsAt: (now: Instant) => readonly GoalCommand[]): void => {
    const loaded = { goal_id: G, ...state, base: null, receipt: null, frontier: null, spend: null };
    const judged = beginJudging(loaded, clock, step.agent === null ? {} : { agent_id: step.agent });
    const commands = commandsAt(judged.act.at);
    const refusal = judge(judged, commands);
    const change = refusal === null ? changeOf(judged) : null;
    const before = state;
    if (change !== null) state = { head: change.head, todos: new Map(judged.draft.todos) };
    visits.push({
      step,
      commands,
      at: judged.act.at,
      before,
      after: state,
      events: change?.events ?? [],
      refused: refusal?.code ?? null,
    });
  };
  visit({ seconds: 0, agent: null, ask: { do: "resume" } }, () => OPENING);
  for (const step of steps) {
    clock = addMilliseconds(clock, step.seconds * 1000);
    const standing = state;
    visit(step, (now) => commandsOf(step, standing, now));
  }
  return visits;
}
