/** Options of running agents and of their turns; part of `options.ts`. */
const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER, whole: true } as const;

export const TURN_OPTIONS = {
  turns: { kind: "number", value: "N", min: 1, max: 1_000_000, whole: true, about: "turns at most (1)" },
  "until-idle": { kind: "flag", about: "turn after turn until nothing can be done" },
  "retry-host": { kind: "flag", about: "run the host again for a turn that was cut off" },
  worker: { kind: "flag", about: "for a supervisor: reports and orders as lines" },
  kind: {
    kind: "choice",
    choices: ["validated_completion", "validated_progress", "repair_required", "replan_required", "user_action_required", "wait"],
    about: "what came of the turn",
  },
  "input-tokens": { kind: "number", value: "N", ...COUNT, about: "tokens the turn read" },
  "output-tokens": { kind: "number", value: "N", ...COUNT, about: "tokens the turn wrote" },
} as const;
