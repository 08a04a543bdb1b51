/**
 * One table: what each code means outside, as exit status, HTTP status and whether trying again can help (design 5).
 *
 * Does not own: the sentences (they are written where the fact is known) and how a surface prints them.
 *
 * E1  A code that the table does not name gets the row of its kind; nothing outside this file maps codes.
 */
import type { StopReason } from "./core/host/worker-protocol.ts";
import type { BadInput, Refusal } from "./core/result.ts";

export interface Outward {
  readonly exit: number;
  readonly http: number;
  readonly retry: boolean;
}

/** A bug: anything thrown that is not a `Fault`. */
export const BUG: Outward = { exit: 70, http: 500, retry: false };

const KINDS = {
  refusal: { exit: 1, http: 409, retry: false },
  bad_input: { exit: 2, http: 400, retry: false },
  fault: { exit: 5, http: 503, retry: true },
} as const satisfies Record<string, Outward>;

const NOT_FOUND: Outward = { exit: 3, http: 404, retry: false };
const CONFLICT: Outward = { exit: 4, http: 409, retry: true };
const PERMANENT: Outward = { exit: 5, http: 503, retry: false };

/** Codes whose row is not that of their kind. */
const CODES: Readonly<Record<string, Outward>> = {
  unknown_goal: NOT_FOUND,
  unknown_archive: NOT_FOUND,
  registry_not_found: NOT_FOUND,
  state_file_not_found: NOT_FOUND,
  runtime_goal_not_found: NOT_FOUND,
  nothing_here: NOT_FOUND,
  route_not_found: NOT_FOUND,
  /** Where a run of that agent is refused, it is no row of its own: the reference ends with 1 there. */
  "bad_input unknown_agent": NOT_FOUND,
  unknown_todo: NOT_FOUND,
  unknown_spend: NOT_FOUND,
  unknown_evidence: NOT_FOUND,
  agent_required: { exit: 3, http: 400, retry: false },
  file_changed: CONFLICT,
  todo_lease_conflict: CONFLICT,
  todo_claimed: CONFLICT,
  write_scope_conflict: CONFLICT,
  stale_epoch: CONFLICT,
  lease_cas_mismatch: CONFLICT,
  version_mismatch: CONFLICT,
  lease_not_live: CONFLICT,
  idempotency_key_reuse: { exit: 1, http: 409, retry: false },
  version_required: { exit: 2, http: 422, retry: false },
  tree_changed: CONFLICT,
  session_running: CONFLICT,
  session_not_running: { exit: 1, http: 409, retry: false },
  unknown_session: NOT_FOUND,
  checks_failed: { exit: 1, http: 422, retry: false },
  gate_decided: { exit: 1, http: 409, retry: false },
  goal_belongs_to: { exit: 1, http: 409, retry: false },
  origin_refused: { exit: 1, http: 403, retry: false },
  host_refused: { exit: 1, http: 421, retry: false },
  token_required: { exit: 1, http: 401, retry: false },
  token_wrong: { exit: 1, http: 401, retry: false },
  no_token: { exit: 1, http: 403, retry: false },
  not_loopback: { exit: 1, http: 403, retry: false },
  body_too_large: { exit: 2, http: 413, retry: false },
  url_too_long: { exit: 2, http: 414, retry: false },
  headers_too_large: { exit: 2, http: 431, retry: false },
  unsupported_media_type: { exit: 2, http: 415, retry: false },
  request_timeout: { exit: 2, http: 408, retry: true },
  method_not_allowed: { exit: 2, http: 405, retry: false },
  bad_cursor: { exit: 2, http: 400, retry: false },
  engine_too_old: PERMANENT,
  store_newer: PERMANENT,
  store_damaged: PERMANENT,
  store_unopenable: PERMANENT,
  network_filesystem: PERMANENT,
  read_only: PERMANENT,
  disk_full: { exit: 5, http: 503, retry: true },
};

/** E1. */
export function outwardOf(
  no: Pick<Refusal | BadInput, "kind" | "code"> | { readonly kind: "fault"; readonly code: string },
): Outward {
  return CODES[`${no.kind} ${no.code}`] ?? CODES[no.code] ?? KINDS[no.kind];
}

/** How a worker ends, for whoever started it. */
export const WORKER_EXITS: Readonly<Record<StopReason, number>> = {
  turns_done: 0,
  idle: 0,
  drained: 0,
  stopped: 0,
  fatal: 3,
  rate_limited: 4,
  fault: 5,
};

/** How a team ends: by what became of its workers, or by the signal that ended it. */
export const TEAM_EXITS: Readonly<Record<"clean" | "fatal" | "breaker" | "SIGHUP" | "SIGINT" | "SIGTERM", number>> = {
  clean: 0,
  fatal: 3,
  breaker: 4,
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
};

/** The codes with a row of their own, for the pin test. */
export function namedCodes(): Readonly<Record<string, Outward>> {
  return CODES;
}

export interface FaultOptions {
  readonly code: string;
  readonly message: string;
  /** What a person can do, with the exact command where there is one. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** The world failed: disk full, store busy past its bound, engine too old. Thrown, and caught at the top alone. */
export class Fault extends Error {
  readonly code: string;
  readonly hint: string | null;

  constructor({ code, message, hint, cause }: FaultOptions) {
    super(message, { cause });
    this.name = "Fault";
    this.code = code;
    this.hint = hint ?? null;
  }

  get retry(): boolean {
    return outwardOf({ kind: "fault", code: this.code }).retry;
  }
}

/** True as well for a fault of another bundle of this program, whose class is another object. */
export function isFault(thrown: unknown): thrown is Fault {
  return thrown instanceof Error && thrown.name === "Fault" && "code" in thrown && typeof thrown.code === "string";
}
