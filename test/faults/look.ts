/** Projects that faults are tried on, and what is looked at afterwards. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { findLeftovers } from "../../src/adapters/files/recover-file.ts";
import { openStore } from "../../src/adapters/sqlite/store.ts";
import type { GoalEvent } from "../../src/core/events.ts";
import { answer, type Project, registryText, STATE, writeTo } from "./program.ts";

export async function prepared(of: Project): Promise<void> {
  writeTo(of.registry, registryText(["alpha"]));
  writeTo(of.stateFile(), STATE);
}

export async function seen(of: Project): Promise<void> {
  await prepared(of);
  await answer(of, "refresh", "--goal-id", "alpha", "--classification", "progress");
}

/** All facts, through the engine, and what it finds wrong with its files. */
export async function facts(of: Project): Promise<readonly GoalEvent[]> {
  const store = await openStore({ runtime_root: of.root });
  try {
    expect(await store.integrityProblems()).toEqual([]);
    return (await store.feed(null, 10_000)).map((fed) => fed.event);
  } finally {
    await store.close();
  }
}

export function runsIn(events: readonly GoalEvent[]): number {
  return events.filter((event) => event.type === "run.recorded").length;
}

/** Rows of LoopX's own in the index, by the event that they show. */
export function rowsOf(of: Project): readonly string[] {
  const index = join(of.root, "goals/alpha/runs/index.jsonl");
  if (!existsSync(index)) return [];
  const lines = readFileSync(index, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line).loopx_event);
}

/** What a kill leaves is told by its name; no second name of a state file outlives the next command. */
export function nothingStrangeIn(of: Project): void {
  const folders = readdirSync(of.folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const folder of [of.folder, ...folders.map((entry) => join(entry.parentPath, entry.name))]) {
    const left = findLeftovers(folder);
    const hidden = readdirSync(folder).filter((name) => name.startsWith(".loopx-"));
    expect(hidden.length).toBe(left.length);
    expect(left.filter(({ kind }) => kind !== "temporary")).toEqual([]);
  }
}

export function withoutTime(text: string): string {
  return text.replace(/^updated_at: .*$/m, "updated_at: *");
}
