/**
 * What the workers of a team and their hosts printed, from where the last answer ended.
 *
 * G1  An answer is bounded: of each log the last part, and with `after` what came since.
 */
import { done, type Reply, reject } from "../core/result.ts";
import type { LogFile, SessionFolder } from "../ports/team.ts";
import type { TeamWorld } from "./team-ports.ts";
import { findSession, type SessionRequest } from "./team-session.ts";

export interface LogsRequest extends SessionRequest {
  /** Null: all. */
  readonly agentId: string | null;
  /** Sizes by path, as the last answer gave them; null: the last part of each. */
  readonly after: Readonly<Record<string, number>> | null;
}

export interface LogLines {
  readonly agent_id: string;
  readonly path: string;
  readonly lines: readonly string[];
}

export interface LogsAnswer {
  readonly ok: true;
  readonly session: string;
  readonly standing: "running" | "over";
  readonly logs: readonly LogLines[];
  readonly sizes: Readonly<Record<string, number>>;
}

const TAIL_BYTES = 16 * 1024;
/** Of each agent's logs, the newest. */
const FILES_AT_MOST = 3;

export async function agentsLogs(world: TeamWorld, request: LogsRequest): Promise<Reply<LogsAnswer>> {
  const found = findSession(world, request);
  if (found.kind !== "done") return found;
  const { folder, record, lives } = found.value;
  const { agentId, after } = request;
  if (agentId !== null && !record.spec.agents.some((id) => id === agentId))
    return reject("unknown_agent", `The session ${record.session} has no agent ${JSON.stringify(agentId)}`, {
      near: [...record.spec.agents],
    });
  const files = newest(folder.logs().filter(({ agent_id }) => agentId === null || agent_id === agentId));
  const logs = files.map((file) => linesOf(folder, file, after)).filter(({ lines }) => lines.length > 0);
  const sizes = Object.fromEntries(files.map(({ path, size }) => [path, size]));
  return done({ ok: true, session: record.session, standing: lives ? "running" : "over", logs, sizes });
}

/** Oldest first, so that the latest is read last. */
function newest(files: readonly LogFile[]): readonly LogFile[] {
  const byAge = [...files].sort((a, b) => b.modified_ms - a.modified_ms);
  const counts = new Map<string, number>();
  const kept = byAge.filter(({ agent_id }) => {
    const count = (counts.get(agent_id) ?? 0) + 1;
    counts.set(agent_id, count);
    return count <= FILES_AT_MOST;
  });
  return kept.reverse();
}

/** G1. A file that is smaller than it was has been turned over. */
function linesOf(folder: SessionFolder, { agent_id, path, size }: LogFile, after: LogsRequest["after"]): LogLines {
  const known = after?.[path] ?? 0;
  const from = Math.max(size - TAIL_BYTES, known > size ? 0 : known, 0);
  const text = size > from ? folder.readLog(path, from, size - from) : "";
  const whole = from > known ? text.slice(text.indexOf("\n") + 1) : text;
  return { agent_id, path, lines: whole.split("\n").filter((line) => line !== "") };
}
