/** What the demonstration says. */
import { shellCommand } from "../../core/command-line.ts";
import type { Outcome } from "./job.ts";
import { WORK_AGENTS, WORK_GOALS } from "./work.ts";

export const USAGE = `Usage: npm start -- [--once] [--keep]

  --once   do what can be done, tell of it, remove the sample projects and end
  --keep   leave the sample projects where they are
`;

export function introduction(folder: string): string {
  return `LoopX demonstration

1. A project as the Python program leaves one on disk: one goal drifted, one without its state file, one with a damaged index.
   LoopX reads it as it is, in ${folder}
`;
}

export function jobIntroduction(folder: string): string {
  const todos = WORK_GOALS.reduce((sum, goal) => sum + goal.todos.filter(({ cadence }) => cadence === undefined).length, 0);
  return `
2. The main job: ${WORK_AGENTS.length} agents, ${WORK_GOALS.length} goals, ${todos} todos with a program and a check each, and a monitor,
   in ${folder}

`;
}

/** Every line that begins with `node` can be pasted. */
export function jobReport(outcome: Outcome, { folder, registry, program }: Hints & { readonly registry: string }): string {
  const { closed, held, watched, checks_passed, checks_failed, repaired, files, waiting } = outcome;
  const questions = waiting.map(({ todo_id, goal_id, text }) => {
    const answer = ["gate", "approve", "--todo-id", todo_id, "--goal-id", goal_id, "--registry", registry];
    return `\nWaits for you: ${text}\n  ${shellCommand("node", program, ...answer)}\n`;
  });
  return `
Done: ${closed.length} todos closed${held.length === 0 ? "" : `, ${held.length} wait for your answer`}; ${watched} monitor looked after.
Checks: ${checks_passed} passed, ${checks_failed} failed; ${repaired} todo repaired by a later turn.
Files made: ${files}, in ${folder}
${questions.join("")}`;
}

/** A command and its answer, as in a terminal. */
export function answered(command: string, answer: string): string {
  return `\n$ ${command}\n\n${answer}`;
}

export interface Hints {
  readonly folder: string;
  /** Absolute path of the built command line. */
  readonly program: string;
}

/** Every line can be pasted. */
export function hints({ folder, program }: Hints): string {
  return `
Try it on the first project, in another terminal:

  cd ${argument(folder)}
  alias loopx=${argument(`node ${argument(program)}`)}
  loopx goal show importer    # one goal, whole
  loopx drift --fix           # repairs what is safe, and says what is left for you
  loopx status --watch        # then edit .codex/goals/importer/ACTIVE_GOAL_STATE.md
`;
}

function argument(text: string): string {
  return shellCommand(text);
}
