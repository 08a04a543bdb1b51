/**
 * When a verdict may stand for running its check again.
 *
 * K1  Equal keys mean the same arguments on the same inputs, environment and tools; any byte of these changes the key.
 * K2  No two capabilities have a key in common.
 */

export interface VerdictFacts {
  readonly capability: string;
  readonly argv: readonly string[];
  /** Of the declared inputs. */
  readonly inputs_hash: string;
  readonly environment: string;
  /** What runs the check, by name. */
  readonly tools: Readonly<Record<string, string>>;
}

/** K1, K2: JSON keeps the parts apart. */
export function verdictKey(
  { capability, argv, inputs_hash, environment, tools }: VerdictFacts,
  digest: (text: string) => string,
): string {
  const sorted = Object.keys(tools)
    .sort()
    .map((name) => [name, tools[name]]);
  return digest(JSON.stringify(["loopx verdict 1", capability, argv, inputs_hash, environment, sorted]));
}
