/**
 * A host hands over what came of its turn: the file that the turn runner reads when the host has ended.
 *
 * Does not own: which fields a result has (`core/host/turn-result.ts`), what becomes of it (the turn runner).
 *
 * S1  Only a result that the runner will take is written: what is wrong is said to the host while it can still put it right.
 * S2  Where the result belongs and whose it is come from the environment of the turn; outside of a turn it is refused.
 * S3  A later result takes the place of an earlier one, whole.
 */
import { turnResultText } from "../core/host/result-text.ts";
import { checkTurnResult, type TurnResult } from "../core/host/turn-result.ts";
import { parseTurnId } from "../core/id.ts";
import type { JsonObject } from "../core/registry/json-node.ts";
import { done, type Reply, refuse, reject } from "../core/result.ts";
import type { TurnPlaces } from "../ports/agent-host.ts";

export interface SubmitTurnPorts {
  readonly places: Pick<TurnPlaces, "writeResult">;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface SubmittedTurn {
  readonly turn_id: string;
  readonly path: string;
  readonly result: TurnResult;
}

/** `fields` are those of a result, nothing checked yet. */
export function submitTurn({ places, env }: SubmitTurnPorts, fields: JsonObject): Reply<SubmittedTurn> {
  const path = env["LOOPX_TURN_RESULT_FILE"] ?? "";
  const turn_id = parseTurnId(env["LOOPX_TURN_ID"] ?? "");
  if (path === "" || turn_id === null) {
    return refuse("no_turn", "There is no turn to hand a result over for: LOOPX_TURN_RESULT_FILE and LOOPX_TURN_ID are not set."); // (S2)
  }
  const checked = checkTurnResult(fields, { turn_id, version: "optional" });
  if (!checked.ok) {
    const [first] = checked.problems;
    const message = `The result of the turn cannot be used: ${first?.path ?? "it"} ${first?.message ?? "is invalid"}.`;
    return reject("turn_result_invalid", message, { problems: checked.problems }); // (S1)
  }
  const problem = places.writeResult(path, turnResultText(turn_id, checked.result)); // (S3)
  if (problem !== null) return reject("result_unwritable", `${path} ${problem.message}.`, { problems: [problem] });
  return done({ turn_id, path, result: checked.result });
}
