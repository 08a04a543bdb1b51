/**
 * Using a verdict again instead of running its check.
 *
 * Does not own: what a key stands for (`core/verify/cache-key.ts`), keeping verdicts (`ports/verdict-cache.ts`).
 *
 * U1  A check has a key only where all that it depends on is known: its declared inputs, and the program that runs it.
 * U2  A verdict is used only together with its output, which the goal then has as its own.
 */
import type { GoalId } from "../core/id.ts";
import type { Check } from "../core/verify/acceptance.ts";
import { verdictKey } from "../core/verify/cache-key.ts";
import type { Environment } from "../core/verify/environment.ts";
import type { Verdict } from "../core/verify/verdict.ts";
import type { Blobs } from "../ports/blobs.ts";
import type { Digest } from "../ports/system.ts";
import type { Tools } from "../ports/tools.ts";
import type { TreeHasher } from "../ports/tree-hash.ts";
import type { VerdictCache } from "../ports/verdict-cache.ts";
import type { WorkTree } from "./work-tree.ts";

export interface CachePorts {
  readonly tree: TreeHasher;
  readonly tools: Tools;
  readonly verdicts: VerdictCache;
  readonly blobs: Blobs;
  readonly digest: Digest;
}

export interface CheckPlace {
  readonly tree: WorkTree;
  readonly env: Environment;
  /** The digest of `env`. */
  readonly environment: string;
}

/** U1. Null where something is not known. */
export async function keyOf(ports: CachePorts, check: Check, place: CheckPlace): Promise<string | null> {
  const [program] = check.argv;
  if (check.inputs === null || program === undefined) return null;
  const { env, environment, tree } = place;
  const tools = ports.tools.identify(program, { cwd: tree.folder, env });
  if (tools === null) return null;
  const inputs = await ports.tree.hash({ ...tree, inputs: check.inputs });
  if (inputs.kind !== "hashed") return null;
  const { argv, capability } = check;
  return verdictKey({ capability, argv, inputs_hash: inputs.tree_hash, environment, tools }, ports.digest.sha256);
}

/** U2. Null: the check has to run. */
export async function verdictFor(
  ports: CachePorts,
  goalId: GoalId,
  asked: Pick<Verdict, "capability" | "key">,
): Promise<Verdict | null> {
  const verdict = ports.verdicts.find(asked.capability, asked.key);
  if (verdict === null) return null;
  const output = await ports.blobs.get(verdict.goal_id, verdict.output.sha256);
  if (output.kind !== "blob") return null;
  if (verdict.goal_id === goalId) return verdict;
  return (await ports.blobs.put(goalId, output.bytes)).kind === "stored" ? verdict : null;
}
