/** The reference's `diagnose`: the decision as one signal, with its evidence and the commands that go on. */
import { done, type Reply } from "../core/result.ts";
import { type DiagnosisPayload, diagnosisPayload } from "../core/show/diagnose.ts";
import type { WhyRequest } from "./app.ts";
import { why } from "./why.ts";
import type { Workspace } from "./workspace.ts";

export async function diagnose(workspace: Workspace, request: WhyRequest): Promise<Reply<DiagnosisPayload>> {
  const answer = await why(workspace, request);
  return answer.kind === "done" ? done(diagnosisPayload(answer.value)) : answer;
}
