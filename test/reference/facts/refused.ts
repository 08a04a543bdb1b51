/** Why a command was refused: the reference says it in a sentence, we in a code. */
import { type Json, textAt } from "../json.ts";

const CODES: readonly (readonly [RegExp, string])[] = [
  [/^Expecting value/, "json_unexpected_end"],
  [/^registry root must be a JSON object$/, "registry_not_object"],
  [/^Unexpected UTF-8 BOM/, "byte_order_mark"],
  [/^goals must be a list$/, "registry_goals_not_list"],
  [/^registry file does not exist$/, "registry_not_found"],
  [/^goal activation state must be active or stopped$/, "activation_invalid"],
  [/^runtime goal directory does not exist: /, "runtime_goal_not_found"],
  [/^runtime goal path is not a directory: /, "runtime_goal_not_folder"],
  [/^runtime goal directory resolved outside the goals root$/, "runtime_goal_link"],
  [/^goal exists in registry;/, "goal_registered"],
  [/^goal id must be a single path segment$/, "goal_id_separator"],
  [/^goal id is required$/, "option_value_empty"],
  [/^state file is required when the goal is not resolvable from registry$/, "state_file_not_found"],
  [/^state file does not exist: /, "state_file_not_found"],
  [/Is a directory: /, "file_is_folder"],
  [/escapes project root/, "state_file_outside"],
  [/contains a secret-looking value;/, "text_holds_secret"],
  [/^next_action must not be empty$/, "option_value_empty"],
  [/^multi-agent refresh-state requires --agent-id;/, "agent_required"],
  [/is not registered for goal/, "unknown_agent"],
  [/^agent-lane refresh-state cannot update the durable active-state Next Action;/, "lane_sets_next_action"],
  [/^--agent-lane requires --agent-id/, "agent_required"],
  [/requires --review-plan-json/, "review_plan_required"],
];

/** Codes that say more than the reference's sentence does. */
const FINER: Readonly<Record<string, string>> = { goal_id_traversal: "goal_id_separator" };

export function ourCode(payload: Json): string | null {
  const code = textAt(payload, "code");
  return code === null ? null : (FINER[code] ?? code);
}

/** Null: it gave no reason that can be compared. */
export function referenceCode(payload: Json): string | null {
  const sentence = textAt(payload, "error");
  if (sentence === null) return null;
  const known = CODES.find(([pattern]) => pattern.test(sentence));
  return known === undefined ? `unknown sentence: ${sentence}` : known[1];
}
