/** `registry`: the goals it declares and what is wrong with it. */
import { at, type Json, listAt, numberAt, textAt } from "../json.ts";
import { type Facts, type Reading, sorted } from "./facts.ts";

export const REGISTRY: Reading = {
  reference: ({ payload }) =>
    at(payload, "goals") === null
      ? {}
      : { ...common(payload), goals: goalsBy(payload, "id"), problems: problemsOf(listAt(payload, "problem_diagnostics")) },
  ours: ({ payload }) => ({
    ...common(payload),
    goals: goalsBy(payload, "goal_id"),
    problems: problemsOf(listAt(payload, "problems")),
  }),
};

function common(payload: Json): Facts {
  return {
    registry: textAt(payload, "registry"),
    schema_version: textAt(payload, "schema_version"),
    updated_at: textAt(payload, "updated_at"),
    goal_count: numberAt(payload, "goal_count"),
    status_counts: at(payload, "status_counts"),
  };
}

function goalsBy(payload: Json, key: string): Json {
  return sorted(listAt(payload, "goals").map((goal) => textAt(goal, key) ?? ""));
}

function problemsOf(problems: readonly Json[]): Json {
  return sorted(problems.map((problem) => `${textAt(problem, "code")} ${subjectOf(problem)}`.trim()));
}

function subjectOf(problem: Json): string {
  return textAt(problem, "goal_id") ?? listAt(problem, "goal_ids").join("+");
}
