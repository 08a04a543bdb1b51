/**
 * Runs the acceptance checks of a todo on a working folder and answers the evidence; it stores no event.
 *
 * Does not own: which checks (`core/verify/acceptance.ts`), what the evidence is good for (core), recording it (the caller).
 *
 * R1  Checks run one after another, each within its time, and all of them: one that fails does not hide another.
 * R2  Evidence names the tree before the first check. If that is another after the last, `tree_moved` says so.
 * R3  Only what passed is kept to be used again, and only if its inputs were the same before and after it ran.
 * R4  A check finds package caches of its own capability.
 */
import type { GoalId } from "../core/id.ts";
import type { Instant } from "../core/instant.ts";
import { done, type Reply } from "../core/result.ts";
import type { Check } from "../core/verify/acceptance.ts";
import { environmentDigest, verifierEnvironment } from "../core/verify/environment.ts";
import { MAX_BLOB_BYTES } from "../ports/blobs.ts";
import type { CommandEnd, CommandRunner } from "../ports/command-runner.ts";
import type { Clock } from "../ports/system.ts";
import type { PackageFolders } from "../ports/verdict-cache.ts";
import { type CachePorts, type CheckPlace, keyOf, verdictFor } from "./cached-verdict.ts";
import { type WorkTree, workTreeHash } from "./work-tree.ts";

export interface CheckPorts extends CachePorts {
  readonly runner: CommandRunner;
  readonly packages: PackageFolders;
  readonly clock: Clock;
}

export interface ChecksRequest extends WorkTree {
  readonly goal_id: GoalId;
  readonly checks: readonly Check[];
  /** The person's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `ignore`: every check runs; what passes is still kept for the next time. */
  readonly cache: "use" | "ignore";
}

export interface EvidenceRecord {
  readonly label: string;
  readonly argv: readonly string[];
  /** Null: it did not exit by itself, or never ran. */
  readonly exit_code: number | null;
  readonly outcome: "passed" | "failed" | "timed_out" | "not_started";
  /** Of the run; of a cached verdict, of the run that it is from. */
  readonly duration_ms: number;
  readonly tree_hash: string;
  /** The digest of the environment that it was given. */
  readonly environment: string;
  /** A blob of the goal; null when there is none. */
  readonly output: { readonly sha256: string; readonly bytes: number } | null;
  readonly cached: boolean;
  readonly at: Instant;
  /** What the other fields cannot say: the signal, why it did not start, why there is no output. */
  readonly note: string | null;
}

export interface ChecksRun {
  readonly tree_hash: string;
  readonly tree_moved: boolean;
  readonly records: readonly EvidenceRecord[];
}

export async function runChecks(ports: CheckPorts, request: ChecksRequest): Promise<Reply<ChecksRun>> {
  const tree = { folder: request.folder, exclude: request.exclude };
  const before = await workTreeHash(ports.tree, tree, request.checks);
  if (before.kind !== "done") return before;
  const records: EvidenceRecord[] = [];
  for (const check of request.checks) records.push(await evidenceOf(ports, request, { check, tree, tree_hash: before.value })); // (R1)
  const after = await workTreeHash(ports.tree, tree, request.checks);
  return done({ tree_hash: before.value, tree_moved: after.kind !== "done" || after.value !== before.value, records }); // (R2)
}

interface Checking {
  readonly check: Check;
  readonly tree: WorkTree;
  readonly tree_hash: string;
}

type Told = Pick<EvidenceRecord, "exit_code" | "outcome" | "duration_ms" | "note">;

async function evidenceOf(
  ports: CheckPorts,
  request: ChecksRequest,
  { check, tree, tree_hash }: Checking,
): Promise<EvidenceRecord> {
  const env = verifierEnvironment(request.env, ports.packages.environment(check.capability)); // (R4)
  const place: CheckPlace = { tree, env, environment: environmentDigest(env, ports.digest.sha256) };
  const said = { label: check.label, argv: check.argv, tree_hash, environment: place.environment };
  const key = await keyOf(ports, check, place);
  const known = key === null || request.cache === "ignore" ? null : await verdictFor(ports, request.goal_id, { ...check, key });
  if (known !== null) {
    const { exit_code, duration_ms, output } = known;
    return { ...said, exit_code, outcome: "passed", duration_ms, output, cached: true, at: ports.clock.now(), note: null };
  }
  const end = await ports.runner.run({
    argv: check.argv,
    cwd: tree.folder,
    env,
    timeout_ms: check.timeout_seconds * 1000,
    max_output_bytes: MAX_BLOB_BYTES,
  });
  const record = {
    ...said,
    ...(await recorded(ports, request.goal_id, told(end, check), end)),
    cached: false,
    at: ports.clock.now(),
  };
  if (key !== null && (await keyOf(ports, check, place)) === key)
    keep(ports, record, { ...check, key, goal_id: request.goal_id }); // (R3)
  return record;
}

function told(end: CommandEnd, { timeout_seconds }: Check): Told {
  switch (end.kind) {
    case "exited":
      return {
        exit_code: end.exit_code,
        outcome: end.exit_code === 0 ? "passed" : "failed",
        duration_ms: end.duration_ms,
        note: null,
      };
    case "signalled":
      return { exit_code: null, outcome: "failed", duration_ms: end.duration_ms, note: `ended by ${end.signal}` };
    case "timed_out":
      return {
        exit_code: null,
        outcome: "timed_out",
        duration_ms: end.duration_ms,
        note: `took longer than ${timeout_seconds} s`,
      };
    case "not_started":
      return { exit_code: null, outcome: "not_started", duration_ms: 0, note: end.message };
  }
}

async function recorded(
  { blobs }: CheckPorts,
  goalId: GoalId,
  said: Told,
  end: CommandEnd,
): Promise<Told & Pick<EvidenceRecord, "output">> {
  if (end.kind === "not_started") return { ...said, output: null };
  const put = await blobs.put(goalId, end.output.bytes);
  if (put.kind === "stored") return { ...said, output: { sha256: put.sha256, bytes: put.bytes } };
  return {
    ...said,
    output: null,
    note: [said.note, `the output was not kept: ${put.problem.message}`].filter(Boolean).join("; "),
  };
}

/** (R3) */
function keep(
  { verdicts }: CheckPorts,
  { outcome, argv, duration_ms, output, at }: EvidenceRecord,
  { capability, key, goal_id }: { readonly capability: string; readonly key: string; readonly goal_id: GoalId },
): void {
  if (outcome !== "passed" || output === null) return;
  verdicts.save({ capability, key, exit_code: 0, argv, duration_ms, goal_id, output, at });
}
