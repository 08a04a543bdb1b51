/** The end of a turn that finished nothing: what its host came to, stored by the commands of the real runner. */
import type { GoalCommand } from "../../core/goal/command.ts";
import type { GoalDraft } from "../../core/goal/draft.ts";
import { type Ending, endingOf, notVerified } from "../../core/host/turn-ending.ts";
import type { HostWord } from "../../core/host/turn-record.ts";
import type { SimRequest } from "../../core/sim/request.ts";
import { endingCommands } from "../write-ending.ts";
import type { WriteMaterial } from "../write-goal.ts";
import type { SimGoal } from "./goal.ts";

export type End = Extract<SimRequest, { kind: "end" | "poll" }>;

interface Judging {
  readonly draft: GoalDraft;
  readonly material: WriteMaterial;
}

export function endCommands(goal: SimGoal, request: End, judging: Judging): readonly GoalCommand[] {
  const { agent, turn, todo_id, epoch, used, gate_id, question_id } = request;
  const ending = endingFor(request);
  const hold_until = request.kind === "end" ? request.hold_until : null;
  const asked = {
    ...{ ending, epoch, usage: usageOf(used), evidence: [], polled: request.kind === "poll" ? request.seen : null },
    observation: ending.observation ?? (request.kind === "end" ? request.observation : request.seen),
    hold: hold_until === null ? null : { until: hold_until, reason: ending.summary },
  };
  const context = { registered: goal.registered(), agent, record: { turn_id: turn, todo_id } };
  return endingCommands(context, asked, { ...judging, gate_id, question_id });
}

function usageOf({ tokens, wall_ms }: End["used"]): HostWord["usage"] {
  return { input_tokens: tokens, wall_ms };
}

function endingFor(request: End): Ending {
  return request.kind === "end" && request.outcome === "repair" ? notVerified("a check failed") : endingOf(wordFor(request));
}

function wordFor(request: End): HostWord {
  const usage = usageOf(request.used);
  const outcome = request.kind === "poll" ? "progress" : request.outcome;
  if (outcome === "progress") return { kind: "result", result: { kind: "validated_progress", summary: "some of it" }, usage };
  if (outcome === "ask")
    return { kind: "result", result: { kind: "user_action_required", summary: "How should it go on?" }, usage };
  const until = request.kind === "end" ? request.hold_until : null;
  if (until !== null) return { kind: "failed", failure: { kind: "rate_limited", until }, usage };
  return { kind: "failed", failure: { kind: "crashed", cause: { kind: "exit", code: 1 } }, usage };
}
