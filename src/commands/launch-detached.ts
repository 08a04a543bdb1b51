/**
 * Starts the supervisor as a program of its own and answers when it stands.
 *
 * E1  It stands when it has taken the session and says so in its record; one that ends before says why in its log.
 * E2  It carries nothing of the turn or the team that it may have been started from: who ends those does not end it.
 */
import { done, type Problem, type Reply, refuse } from "../core/result.ts";
import { supervisorArguments } from "../core/team/launch-spec.ts";
import type { SessionFolder } from "../ports/team.ts";
import type { LaunchPlan } from "./launch-words.ts";
import type { TeamWorld } from "./team-ports.ts";

const LOOK_MS = 25;
const LONGEST_MS = 30_000;
const TAIL_BYTES = 2000;
const OF_A_TURN = /^LOOPX_(?:TURN_ID|SESSION_MARKER|TODO_ID|GOAL_ID|AGENT_ID|TURN_RESULT_FILE)$/;

interface Ground {
  readonly world: TeamWorld;
  readonly folder: SessionFolder;
}

export async function startDetached({ world, folder }: Ground, plan: LaunchPlan): Promise<Reply<number>> {
  const { program, cwd, detached, scheduler } = world;
  const { registry, runtime_root, spec } = plan;
  const argv = [...program, ...supervisorArguments(spec, { registry, runtime_root })] as const;
  const started = await detached.start({ argv, cwd, env: environmentOf(world), log_path: folder.supervisor_log });
  if (!("pid" in started)) return notStarted(started, folder);
  const { pid } = started;
  for (const end = scheduler.elapsed() + LONGEST_MS; scheduler.elapsed() < end; ) {
    const record = folder.session();
    if (folder.holder()?.pid === pid && record?.pid === pid) return done(pid); // (E1)
    if (started.ended() !== null) break;
    await new Promise<void>((resolve) => scheduler.after(LOOK_MS, resolve));
  }
  const said = folder.readLog(folder.supervisor_log, 0, TAIL_BYTES).trim();
  return notStarted({ code: "supervisor_not_started", message: said === "" ? "It said nothing." : said }, folder);
}

function notStarted({ message }: Problem, { supervisor_log }: SessionFolder): Reply<never> {
  return refuse("supervisor_not_started", `The supervisor does not stand. ${message}`, { details: { log: supervisor_log } });
}

/** E2. */
function environmentOf({ env }: TeamWorld): Readonly<Record<string, string>> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !OF_A_TURN.test(entry[0]),
  );
  return Object.fromEntries(kept);
}
