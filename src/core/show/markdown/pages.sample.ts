/** Pages for tests, made through the payloads as commands make them. */
import type { DriftPayload } from "../drift-list.ts";
import { buildDriftList } from "../drift-list.ts";
import type { HistoryPayload } from "../history.ts";
import { buildHistory } from "../history.ts";
import type { StatusInput, StatusPayload } from "../status.ts";
import { buildStatus } from "../status.ts";
import { NOW } from "../view.sample.ts";
import type { GoalView } from "../view.ts";
import { historyPage } from "./history.ts";
import { statusPage } from "./status.ts";

export const roots: { readonly registry: string; readonly runtime_root: string } = { registry: "/r.json", runtime_root: "/rt" };

export function status(views: readonly GoalView[], change: Partial<StatusInput> = {}): string {
  return statusPage(statusPayload(views, change), { now: NOW, rows: "screen" });
}

export function statusPayload(views: readonly GoalView[], change: Partial<StatusInput> = {}): StatusPayload {
  const placed = views.map((view) => ({ view, cursor: view.goal_id }));
  return buildStatus({
    ...roots,
    goal_filter: null,
    counts: {
      goals: views.length,
      runs: 1,
      attention: views.length,
      waiting_for_person: 1,
      open_todos: 1,
      waiting_todos: 0,
      stopped: 0,
    },
    checked: { now: views.length, earlier: 0, oldest: null },
    problems: [],
    goals: placed,
    attention: placed,
    continues: null,
    extent: { kind: "page" },
    fields: null,
    now: NOW,
    ...change,
  });
}

export function drift(views: readonly GoalView[]): DriftPayload {
  const goals = views.map((view) => ({ view, cursor: view.goal_id }));
  return buildDriftList({
    ...roots,
    goal_filter: null,
    goal_count: 9,
    goals,
    seen: 0,
    kinds: null,
    extent: { kind: "page" },
    now: NOW,
  });
}

export function history(texts: readonly string[], change: Partial<HistoryPayload> = {}): string {
  const runs = texts.map((text) => ({
    row: { generated_at: text, goal_id: text, classification: text, recommended_action: text, agent_id: text },
    at: null,
    origin: "foreign" as const,
    json_exists: false,
    cursor: text,
  }));
  const payload = buildHistory({
    ...roots,
    goal_filter: null,
    goal_count: 1,
    run_count: runs.length + 1,
    goals: [],
    runs,
    seen: 0,
    extent: { kind: "page" },
    now: NOW,
  });
  return historyPage({ ...payload, ...change }, NOW);
}
