/**
 * The environment that a host's process gets.
 *
 * Does not own: what of it is safe to show (nothing is shown).
 *
 * N1  Of the person's environment only what is named here, or by the host, is handed on.
 * N2  Every `LOOPX_` variable is of this turn: one that LoopX itself was started with never reaches a host.
 */
import type { AgentId, GoalId, TodoId, TurnId } from "../id.ts";

export type Environment = Readonly<Record<string, string>>;

/** What a program needs to find other programs, its settings, its language, the network and a place for temporary files. */
const BASIC: readonly string[] = [
  ...["PATH", "PATHEXT", "SHELL", "COMSPEC", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR"],
  ...["HOME", "USER", "LOGNAME", "USERNAME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES"],
  ...["LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ", "TMPDIR", "TMP", "TEMP"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"],
  ...["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK"],
];
const LOOPX = /^LOOPX_/i;

/** What a host is told of its turn. */
export interface TurnNames {
  readonly goal_id: GoalId;
  readonly agent_id: AgentId;
  /** Null: the turn is about the goal. */
  readonly todo_id: TodoId | null;
  readonly turn_id: TurnId;
  readonly runtime_root: string;
  readonly registry: string;
  readonly result_file: string;
  /** Carried by every process of a session, so that what is left of it can be found. */
  readonly session_marker: string;
}

/** N1, N2. `added` comes from the host. */
export function turnEnvironment(
  inherited: Readonly<Record<string, string | undefined>>,
  { turn, inherits, added }: { readonly turn: TurnNames; readonly inherits: readonly string[]; readonly added: Environment },
): Environment {
  const wanted = new Set([...BASIC, ...inherits].map((name) => name.toUpperCase()));
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && wanted.has(name.toUpperCase()) && !LOOPX.test(name)) environment[name] = value;
  }
  return { ...environment, ...withoutLoopx(added), ...loopxVariables(turn) };
}

function withoutLoopx(added: Environment): Environment {
  return Object.fromEntries(Object.entries(added).filter(([name]) => !LOOPX.test(name)));
}

function loopxVariables(turn: TurnNames): Environment {
  return {
    LOOPX_GOAL_ID: turn.goal_id,
    LOOPX_AGENT_ID: turn.agent_id,
    ...(turn.todo_id !== null && { LOOPX_TODO_ID: turn.todo_id }),
    LOOPX_RUNTIME_ROOT: turn.runtime_root,
    LOOPX_REGISTRY: turn.registry,
    LOOPX_TURN_RESULT_FILE: turn.result_file,
    ...turnMarks(turn),
  };
}

/** The variables by which the processes of one turn are told from all others. */
export function turnMarks({ turn_id, session_marker }: Pick<TurnNames, "turn_id" | "session_marker">): Environment {
  return { LOOPX_TURN_ID: turn_id, LOOPX_SESSION_MARKER: session_marker };
}
