import { expect, test } from "vitest";
import type { TodoRecord } from "../events.ts";
import type { TodoId } from "../id.ts";
import type { Instant } from "../instant.ts";
import { defaultAnswer } from "./gate-expiry.ts";

const NOW = "2026-12-01T00:00:00.000Z" as Instant;
const DUE = { default_outcome: "reject", expires_at: "2026-12-01T00:00:00+00:00" };

function gate(fields: Partial<TodoRecord>): TodoRecord {
  return {
    todo_id: "todo_gate" as TodoId,
    id_source: "metadata",
    role: "user",
    text: "Ship it?",
    status: "open",
    priority: null,
    task_class: "user_gate",
    section: "",
    index: 1,
    archived: false,
    metadata: DUE,
    ...fields,
  };
}

test("X1 a question whose time is up has the answer it said", () => {
  expect(defaultAnswer(gate({}), NOW)).toEqual({
    kind: "decide-gate",
    todo_id: "todo_gate",
    outcome: "reject",
    reason: "its time was up",
    by: "default",
    until: null,
  });
});

test.each<[string, Partial<TodoRecord>]>([
  ["later", { metadata: { ...DUE, expires_at: "2026-12-01T00:00:01+00:00" } }],
  ["without an answer", { metadata: { expires_at: DUE.expires_at } }],
  ["with one that is none", { metadata: { ...DUE, default_outcome: "perhaps" } }],
  ["without a time", { metadata: { default_outcome: "approve" } }],
  ["with a time that is none", { metadata: { ...DUE, expires_at: "soon" } }],
  ["answered", { status: "done" }],
  ["archived", { archived: true }],
  ["no question", { task_class: "user_action" }],
])("X1 none %s", (_, fields) => {
  expect(defaultAnswer(gate(fields), NOW)).toBeNull();
});
