import type { DriftRule } from "../drift.ts";

/** The registry says something about the goal's activation that is neither yes nor no, so nothing acts on the goal. */
export const activationInvalid: DriftRule = {
  kinds: ["activation_invalid"],
  concerns: "running",
  find({ activation }) {
    if (activation.kind !== "invalid") return [];
    return [
      {
        kind: "activation_invalid",
        severity: "high",
        declared: "the goal's `activation` in the registry",
        observed: "its state is neither active nor stopped",
        since: activation.since,
        fix: { person: "write `active` or `stopped` as `activation.state` in the registry, or take `activation` out" },
      },
    ];
  },
};
