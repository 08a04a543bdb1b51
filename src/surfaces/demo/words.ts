/** What the demonstration says. */
import { loopxCommand } from "../../core/command-line.ts";
import { SAMPLE_GOALS } from "./sample.ts";

export const USAGE = `Usage: npm start -- [--once] [--keep]

  --once   look, check what is seen, remove the sample project and end
  --keep   leave the sample project where it is
`;

export function introduction(folder: string): string {
  const registered = SAMPLE_GOALS.filter((goal) => goal.registered).length;
  const runs = SAMPLE_GOALS.reduce((sum, goal) => sum + goal.runs.length, 0);
  return `LoopX demonstration

A sample project, as the Python program leaves one on disk, was made in
  ${folder}
${registered} goals and ${runs} runs: one goal is well, one has drifted from its plan, one waits for you,
one lost its state file, one has a damaged run index; one folder belongs to no goal.
LoopX reads it as it is: nothing is converted.
`;
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
Try it in another terminal:

  cd ${argument(folder)}
  alias loopx=${argument(`node ${argument(program)}`)}
  loopx goal show importer    # one goal, whole
  loopx drift --fix           # repairs what is safe, and says what is left for you
  loopx status --watch        # then edit .codex/goals/importer/ACTIVE_GOAL_STATE.md
`;
}

function argument(text: string): string {
  return loopxCommand(text).slice("loopx ".length);
}
