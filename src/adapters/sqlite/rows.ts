/** Rows of the database as records of the port: what was written by this adapter is trusted to have its shape. */
import type { GoalEvent, TodoRecord } from "../../core/events.ts";
import type { GoalHead } from "../../core/goal/head.ts";
import type { GoalId, TodoId } from "../../core/id.ts";
import type { Instant } from "../../core/instant.ts";
import type { Problem } from "../../core/result.ts";
import type { Damage, RunRow } from "../../core/runs/run.ts";
import type { ArchiveRecord, PlanBase, Receipt } from "../../ports/store.ts";
import type { DeclaredRow, RegistryCheckpoint } from "../../ports/store-declared.ts";
import type { ForeignCheckpoint, ForeignRow } from "../../ports/store-foreign.ts";
import type { StoredView } from "../../ports/store-views.ts";
import type { Row } from "./engine.ts";

export function textOf(row: Row, column: string): string {
  return row[column] as string;
}

export function numberOf(row: Row, column: string): number {
  return row[column] as number;
}

export function goalIdOf(row: Row): GoalId {
  return row["goal_id"] as GoalId;
}

function instantOf(row: Row, column: string): Instant {
  return row[column] as Instant;
}

function instantOrNull(row: Row, column: string): Instant | null {
  return row[column] as Instant | null;
}

function jsonOrNull(row: Row, column: string): unknown {
  const text = row[column] as string | null;
  return text === null ? null : JSON.parse(text);
}

export function headOf(row: Row): GoalHead {
  return JSON.parse(textOf(row, "head")) as GoalHead;
}

export function todoOf(row: Row): TodoRecord {
  return JSON.parse(textOf(row, "data")) as TodoRecord;
}

export function eventOf(row: Row): GoalEvent {
  return {
    goal_id: row["goal_id"],
    generation: row["generation"],
    seq: row["seq"],
    at: row["at"],
    ...(row["agent_id"] === null ? {} : { agent_id: row["agent_id"] }),
    ...(row["turn_id"] === null ? {} : { turn_id: row["turn_id"] }),
    type: row["type"],
    data: JSON.parse(textOf(row, "data")),
  } as GoalEvent;
}

export function baseOf(row: Row): PlanBase {
  return {
    text: textOf(row, "text"),
    ids: JSON.parse(textOf(row, "ids")) as readonly TodoId[],
    fingerprint: textOf(row, "fingerprint"),
    accepted_at: instantOf(row, "accepted_at"),
    rendered_seq: numberOf(row, "rendered_seq"),
    sighting: jsonOrNull(row, "sighting") as PlanBase["sighting"],
  };
}

export function receiptOf(row: Row): Receipt {
  return {
    key: textOf(row, "key"),
    fingerprint: textOf(row, "fingerprint"),
    goal_id: goalIdOf(row),
    generation: numberOf(row, "generation"),
    seq: numberOf(row, "seq"),
    at: instantOf(row, "at"),
  };
}

export function archiveOf(row: Row): ArchiveRecord {
  return {
    goal_id: goalIdOf(row),
    generation: numberOf(row, "generation"),
    archive_path: textOf(row, "archive_path"),
    archived_at: instantOf(row, "archived_at"),
    restored_at: instantOrNull(row, "restored_at"),
  };
}

export function registryOf(row: Row): RegistryCheckpoint {
  return {
    path: textOf(row, "path"),
    fingerprint: textOf(row, "fingerprint"),
    sha256: textOf(row, "sha256"),
    goal_count: numberOf(row, "goal_count"),
    header: textOf(row, "header"),
    problems: JSON.parse(textOf(row, "problems")) as readonly Problem[],
  };
}

export function declaredOf(row: Row): DeclaredRow {
  return { goal_id: textOf(row, "goal_id"), ordinal: numberOf(row, "ordinal"), data: textOf(row, "data") };
}

export function checkpointOf(row: Row): ForeignCheckpoint {
  return {
    fingerprint: textOf(row, "fingerprint"),
    offset: numberOf(row, "read_offset"),
    lines: numberOf(row, "lines"),
    tail_sha256: textOf(row, "tail_sha256"),
    raw_records: numberOf(row, "raw_records"),
    damage: JSON.parse(textOf(row, "damage")) as readonly Damage[],
    damage_count: numberOf(row, "damage_count"),
    first_own_line: row["first_own_line"] as number | null,
    foreign_after_own: jsonOrNull(row, "foreign_after_own") as ForeignCheckpoint["foreign_after_own"],
  };
}

export function foreignOf(row: Row): ForeignRow {
  return {
    identity: textOf(row, "identity"),
    position: numberOf(row, "position"),
    line: numberOf(row, "line"),
    at: instantOrNull(row, "at"),
    row: JSON.parse(textOf(row, "row")) as RunRow,
  };
}

export function viewOf(row: Row): StoredView {
  return {
    goal_id: goalIdOf(row),
    key: textOf(row, "key"),
    checked_at: instantOf(row, "checked_at"),
    view: textOf(row, "view"),
  };
}
