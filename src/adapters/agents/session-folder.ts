/**
 * The folder of a team's session: who supervises it, how its agents stand, what happened, what they printed.
 *
 * Does not own: what a record says (`core/team/records.ts`).
 *
 * F1  Folders 0700, files 0600; a record is there whole or not at all.
 * F2  The events are only appended to; the file and its one predecessor hold no more than `EVENTS_BYTES` each.
 * F3  An agent's id is its file's name in a form that any file system takes.
 */
import {
  closeSync,
  constants,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { type AgentRecord, isAgentRecord, isSessionRecord, type SessionRecord } from "../../core/team/records.ts";
import type { LogFile, SessionFolder, Taken } from "../../ports/team.ts";
import { attempt, makePrivateFolder, readPrivateJson, writePrivately } from "./private-files.ts";
import { holderOf, takeSession } from "./session-hold.ts";
import { giveOrder, onSessionOrder } from "./session-orders.ts";

const EVENTS_BYTES = 4 * 1024 * 1024;
const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

export function sessionFolder(runtime_root: string, session: string): SessionFolder {
  const path = join(runtime_root, "launcher", session);
  const record = join(path, "supervisor.json");
  const agents = join(path, "agents");
  const logs = join(path, "logs");
  const orders = join(path, "orders");
  const events = join(path, "events.jsonl");
  return {
    path,
    supervisor_log: join(path, "supervisor.log"),
    take: (self, isAlive) => taken(path, agents) ?? takeSession(path, self, isAlive),
    holder: () => orNull(() => holderOf(path)),
    session: () => sessionIn(record),
    agents: () => agentsIn(agents),
    log_folder: logs,
    logFolder: (agentId) => join(logs, fileName(agentId)),
    logs: () => logsIn(logs),
    readLog,
    writeSession: (value) => writePrivately(record, text(value)),
    writeAgent: (value) => writePrivately(join(agents, `${fileName(value.agent_id)}.json`), text(value)),
    removeAgents: (except) => removeOthers(agents, except),
    append: (event) => attempt(events, () => appendLine(events, JSON.stringify(event))),
    events: (limit) => lastLines(events, limit),
    onOrder: (listener) => onSessionOrder(orders, listener),
    give: (order, wait_ms) => giveOrder(orders, order, wait_ms),
  };
}

/** Null when the folders are there. */
function taken(path: string, agents: string): Taken | null {
  const problem = attempt(path, () => {
    makePrivateFolder(path);
    makePrivateFolder(agents);
  });
  return problem === null ? null : { kind: "refused", problem };
}

/** F3. */
function fileName(agentId: string): string {
  return encodeURIComponent(agentId);
}

function text(value: object): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}

function sessionIn(path: string): SessionRecord | null {
  const value: unknown = readPrivateJson(path);
  return isSessionRecord(value) ? value : null;
}

/** By the place in the team, which is that of the ids in the record of the session. */
function agentsIn(folder: string): readonly AgentRecord[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      const value: unknown = readPrivateJson(join(folder, name));
      return isAgentRecord(value) ? [value] : [];
    });
}

function removeOthers(folder: string, except: readonly string[]): void {
  const kept = new Set(except.map((id) => `${fileName(id)}.json`));
  for (const name of namesIn(folder)) if (!kept.has(name)) rmSync(join(folder, name), { force: true });
}

function namesIn(folder: string): readonly string[] {
  return orNull(() => readdirSync(folder).sort()) ?? [];
}

function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** F2. */
function appendLine(path: string, line: string): void {
  const file = openSync(path, APPEND, 0o600);
  try {
    writeSync(file, `${line}\n`);
    if (statSync(path).size < EVENTS_BYTES) return;
  } finally {
    closeSync(file);
  }
  renameSync(path, `${path}.1`);
}

function lastLines(path: string, limit: number): readonly string[] {
  const all = [`${path}.1`, path].map((each) => orNull(() => readFileSync(each, "utf8")) ?? "").join("");
  return all.split("\n").filter(Boolean).slice(-limit);
}

function logsIn(folder: string): readonly LogFile[] {
  return namesIn(folder).flatMap((name) =>
    namesIn(join(folder, name)).flatMap((file) => {
      const path = join(folder, name, file);
      const stats = orNull(() => statSync(path));
      if (stats?.isFile() !== true || file.endsWith(".1")) return [];
      const agent_id = orNull(() => decodeURIComponent(name)) ?? name;
      return [{ agent_id, path, size: stats.size, modified_ms: stats.mtimeMs }];
    }),
  );
}

function readLog(path: string, from: number, length: number): string {
  const bytes = orNull(() => {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const buffer = Buffer.alloc(length);
      return buffer.subarray(0, readSync(file, buffer, 0, length, from));
    } finally {
      closeSync(file);
    }
  });
  return bytes === null ? "" : bytes.toString("utf8");
}
