import { describe, expect, it } from "vitest";
import { type GoalId, parseGoalId } from "../id.ts";
import { type Instant, parseInstant } from "../instant.ts";
import { isSameArchive, MANIFEST_SCHEMA, parseManifestIdentity, printManifest } from "./archive-manifest.ts";
import { archiveNames, parseArchiveName } from "./archive-name.ts";
import type { GoalCommand } from "./command.ts";
import { append, draftOf, type GoalDraft } from "./draft.ts";
import { handle } from "./handle.ts";

const AT = parseInstant("2026-11-30T08:05:02.750Z") as Instant;

function id(text: string): GoalId {
  const parsed = parseGoalId(text);
  if (!parsed.ok) throw new Error(text);
  return parsed.id;
}

function give(draft: GoalDraft, command: GoalCommand): string {
  const handled = handle({ head: draft.head, todos: draft.todos }, command, AT);
  if ("kind" in handled) return handled.code;
  append(draft, handled, { at: AT });
  return "accepted";
}

function opened(...commands: readonly GoalCommand[]): GoalDraft {
  const draft = draftOf(id("g"), { head: null, todos: new Map() });
  for (const command of [{ kind: "open-goal", registry: "/r" } as const, ...commands])
    expect(give(draft, command)).toBe("accepted");
  return draft;
}

const START: GoalCommand = { kind: "start-archive", source: "/g", target: "/a" };
const DONE: GoalCommand = { kind: "finish-archive" };
const back = (archive: "own" | "foreign"): Extract<GoalCommand, { kind: "start-restore" }> => ({
  kind: "start-restore",
  source: "/a",
  target: "/g",
  archive,
});

describe("archive and restore", () => {
  it("G10 restores to where it was, once, and keeps the first target", () => {
    const draft = opened(START, DONE, back("own"));
    expect(give(draft, { ...back("own"), source: "/other" })).toBe("accepted");
    expect(draft.head?.lifecycle).toMatchObject({ kind: "restoring", source: "/a", target: "/g" });
    expect(give(draft, START)).toBe("goal_moving");
    expect(give(draft, { kind: "finish-restore" })).toBe("accepted");
    expect(give(draft, { kind: "finish-restore" })).toBe("accepted");
    expect(draft.events.map((event) => event.type)).toEqual([
      "goal.opened",
      "archive.started",
      "archive.done",
      "restore.started",
      "restore.done",
    ]);
  });

  it("G11 lets a journal's own archive back only where the journal stands archived", () => {
    expect(give(opened(), back("own"))).toBe("goal_exists");
    expect(give(opened(), back("foreign"))).toBe("accepted");
    expect(give(opened(START), back("foreign"))).toBe("goal_moving");
    expect(give(opened(START, DONE), back("foreign"))).toBe("accepted");
    expect(give(opened(START, DONE), START)).toBe("goal_archived");
  });
});

describe("archive names", () => {
  it("N1 are the stamp, then random, without an end", () => {
    const suffixes = ["s1", "s2"];
    const names = archiveNames(id("目标"), AT, () => suffixes.shift() ?? "");
    const first = [names.next().value, names.next().value, names.next().value];
    expect(first).toEqual(["目标-20261130T080502Z", "目标-20261130T080502Z-s1", "目标-20261130T080502Z-s2"]);
  });

  it.each([
    ["a-20261130T080502Z", "a"],
    ["a-20261130T080502Z-2", "a"],
    ["a-20261130T080502Z-k3jx", "a"],
    ["a-20261130T080502Z-20261130T080503Z", "a-20261130T080502Z"],
    ["🚀 x-20261130T080502Z", "🚀 x"],
  ])("N2 gives the id of %s", (name, goal) => {
    expect(parseArchiveName(name)?.goal_id).toBe(goal);
    expect(parseArchiveName(name)?.archived_at.startsWith("2026-11-30T08:05:0")).toBe(true);
  });

  it.each(["a", "-20261130T080502Z", "a-20261330T080502Z", "a-20261130T080502", "a-20261130T080502Z-UP", "con-20261130T080502Z"])(
    "N2 knows no id in %s",
    (name) => expect(parseArchiveName(name)).toBeNull(),
  );
});

describe("the manifest", () => {
  const manifest = {
    schema_version: MANIFEST_SCHEMA,
    goal_id: id("g"),
    generation: 2,
    store_id: "s",
    registry: "/r",
    at: AT,
    from: "/g",
    to: "/a",
    file_count: 0,
    bytes: 0,
    entries: [],
  } as const;

  it("A1 is known by goal, generation and store", () => {
    const identity = parseManifestIdentity(printManifest(manifest));
    expect(identity).toEqual({ goal_id: "g", generation: 2, store_id: "s", at: AT });
    expect(isSameArchive(identity, { goal_id: id("g"), generation: 2, store_id: "s" })).toBe(true);
    expect(isSameArchive(identity, { goal_id: id("h"), generation: 2, store_id: "s" })).toBe(false);
    expect(isSameArchive(identity, { goal_id: id("g"), generation: 1, store_id: "s" })).toBe(false);
    expect(isSameArchive(identity, { goal_id: id("g"), generation: 2, store_id: "t" })).toBe(false);
    expect(isSameArchive(null, { goal_id: id("g"), generation: 2, store_id: "s" })).toBe(false);
  });

  it.each(["", "null", "[]", "3", "{", '{"schema_version":"other"}'])("is not %s", (text) => {
    expect(parseManifestIdentity(text)).toBeNull();
  });

  it.each([{ goal_id: "../x" }, { generation: -1 }, { generation: "1" }, { at: "soon" }, { store_id: 1 }])(
    "is not one with %o",
    (change) => {
      expect(parseManifestIdentity(JSON.stringify({ ...manifest, ...change }))).toBeNull();
    },
  );
});
