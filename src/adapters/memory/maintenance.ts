/** Care of the store as a whole. */
import { writeFileSync } from "node:fs";
import type { Maintenance, SpendEntry } from "../../ports/store.ts";
import { assertTexts, cellOf, type GoalCell, kept, type MemoryDatabase } from "./database.ts";
import { newestGeneration } from "./journal.ts";
import type { Session } from "./session.ts";
import { spendAfter } from "./spend.ts";

const MAX_NOTE_BYTES = 65_536;

export function maintenanceIn(session: Session): Maintenance {
  return {
    exclusively: (work) =>
      session.alone(() => {
        const answer = work();
        if (answer instanceof Promise) throw new Error("exclusive work must not be asynchronous");
        return answer;
      }),
    changeCounter: () => session.read(() => session.foreignCommits),
    integrityProblems: () => session.read(({ goals }) => [...goals].flatMap(([goalId, cell]) => problemOf(goalId, cell) ?? [])),
    rebuild: (goalId, fold) => session.write((database) => rebuilt(cellOf(database, goalId), fold)),
    copyTo: (path) => session.read((database) => writeFileSync(path, dump(database), { flag: "wx", mode: 0o600 })),
    note: (key) => session.read(({ notes }) => notes.get(key) ?? null),
    saveNote: async (key, text) => {
      assertTexts(key, text);
      if (Buffer.byteLength(text) > MAX_NOTE_BYTES) throw new Error(`the note ${key} is larger than ${MAX_NOTE_BYTES} bytes`);
      return await session.writeCache(({ notes }) => {
        notes.set(key, text);
        return true;
      });
    },
    mirroredSeq: (goalId, generation) => session.read(({ goals }) => goals.get(goalId)?.mirrored.get(generation) ?? 0),
    saveMirroredSeq: (goalId, generation, seq) =>
      session.writeCache((database) => {
        const { mirrored } = cellOf(database, goalId);
        mirrored.set(generation, Math.max(seq, mirrored.get(generation) ?? 0));
        return true;
      }),
    facts: () => ({
      engine: "memory",
      engine_version: process.versions.node,
      format: 4,
      store_id: session.database.store_id,
      path: ":memory:",
      access: session.access,
    }),
    close: async () => session.close(),
  };
}

type Fold = Parameters<Maintenance["rebuild"]>[1];

function rebuilt(cell: GoalCell, fold: Fold): { readonly answer: { readonly events: number }; readonly commit: () => void } {
  const journal = cell.journals.get(newestGeneration(cell)) ?? [];
  const { head, todos } = fold(journal, () => undefined);
  const copy = kept({ head, todos: [...todos.values()] });
  const commit = (): void => {
    cell.head = copy.head;
    cell.todos = new Map(copy.todos.map((todo) => [todo.todo_id, todo]));
    cell.spend = journal.reduce(spendAfter, [] as readonly SpendEntry[]);
  };
  return { answer: { events: journal.length }, commit };
}

function problemOf(goalId: string, cell: GoalCell): string | null {
  const events = cell.journals.get(newestGeneration(cell))?.length ?? 0;
  return (cell.head?.seq ?? 0) === events ? null : `the head of goal ${goalId} is not that of its journal`;
}

function dump({ store_id, feed, archives }: MemoryDatabase): string {
  return `${JSON.stringify({ store_id, feed, archives: [...archives.values()] })}\n`;
}
