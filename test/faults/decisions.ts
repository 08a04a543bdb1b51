/** Projects in which an agent is about to claim, to finish, to spend, or a person to answer. */
import { answer, type Project, registryText, STATE, writeTo } from "./program.ts";

export const GATE = "todo_gate";
const QUESTION = `- [ ] Ship it?\n  <!-- loopx:todo todo_id=${GATE} status=open task_class=user_gate unblocks_todo_id=todo_ground -->`;

export async function known(of: Project): Promise<void> {
  writeTo(of.registry, registryText(["alpha"]));
  writeTo(of.stateFile(), STATE);
  await answer(of, "refresh", "--all");
}

export async function held(of: Project): Promise<void> {
  await known(of);
  await answer(of, "claim", ...WHO, "--todo-id", "todo_ground");
}

export async function asked(of: Project): Promise<void> {
  writeTo(of.registry, registryText(["alpha"]));
  writeTo(of.stateFile(), STATE.replace("## Agent Todo", `## User Todo\n\n${QUESTION}\n\n## Agent Todo`));
  await answer(of, "refresh", "--all");
}

export async function written(of: Project): Promise<void> {
  await known(of);
  const turn = ["--turn-instance-id", "turn-1", "--classification", "progress", "--delivery-outcome", "outcome_progress"];
  await answer(of, "refresh", ...WHO, ...turn);
}

export const WHO = ["--goal-id", "alpha", "--agent-id", "a1"];
