/** One piece of evidence, with its output where that is asked for: `evidence show`. */
import { loopxCommand } from "../core/command-line.ts";
import type { Evidence } from "../core/events.ts";
import type { GoalId } from "../core/id.ts";
import { done, type Problem, type Reply, reject } from "../core/result.ts";
import { type EvidenceShowPayload, isEvidence, shownEvidence } from "../core/show/evidence.ts";
import type { EvidenceShowRequest } from "./app.ts";
import { findRegistered, registryRows } from "./registry-rows.ts";
import type { WritingWorkspace } from "./workspace.ts";

export async function evidenceShow(
  workspace: WritingWorkspace,
  request: EvidenceShowRequest,
): Promise<Reply<EvidenceShowPayload>> {
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const registered = await findRegistered(rows.value, request.goalId);
  if (registered.kind !== "done") return registered;
  const { goal_id } = registered.value.goal;
  const { seq } = request;
  const query = { goal_id, type: "evidence.recorded", order: "newest_first", beyond_seq: seq + 1, limit: 1 } as const;
  const event = (await workspace.store.events(query)).filter(isEvidence).find((found) => found.seq === seq);
  if (event === undefined) {
    return reject("unknown_evidence", `Event ${seq} of goal ${goal_id} is no evidence.`, {
      fix: loopxCommand("evidence", "list", "--goal-id", goal_id),
    });
  }
  const read = request.withOutput ? await outputOf(workspace, goal_id, event.data.output) : { output_text: null, problems: [] };
  return done({ ok: true, goal_id, evidence: shownEvidence(event), ...read });
}

async function outputOf(
  workspace: WritingWorkspace,
  goalId: GoalId,
  output: Evidence["output"],
): Promise<Pick<EvidenceShowPayload, "output_text" | "problems">> {
  if (output === null) return { output_text: null, problems: [] };
  const { blobs } = await workspace.checking();
  const blob = await blobs.get(goalId, output.sha256);
  if (blob.kind === "blob") return { output_text: new TextDecoder().decode(blob.bytes), problems: [] };
  const gone: Problem = { code: "output_missing", message: `the output ${output.sha256} is not there any more` };
  return { output_text: null, problems: [blob.kind === "missing" ? gone : blob.problem] };
}
