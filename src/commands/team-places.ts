/**
 * Whether the folder and the programs that a team is launched with are there.
 *
 * Does not own: what a todo names itself (`turn-preflight.ts`).
 *
 * P1  Without a workspace, a program is looked for in the folders of the goals, `repos`: that is where it would be started.
 * P2  A check that is seen from such a folder is not missed: it may be what the first turn makes.
 */
import { isSeenFromFolder } from "../core/host/run-argv.ts";
import { done, type Reply, refuse } from "../core/result.ts";
import type { LaunchSpec } from "../core/team/launch-spec.ts";
import { INSTALL_IT } from "./run-end.ts";
import type { TeamWorld } from "./team-ports.ts";

export function placeFlaw(
  { places, env }: Pick<TeamWorld, "places" | "env">,
  spec: LaunchSpec,
  repos: readonly string[],
): Reply<null> {
  const { workspace, host_command, validation_command } = spec;
  if (workspace !== null && places.workspaceFlaw(workspace) !== null)
    return refuse("workspace_missing", `The workspace ${workspace} is no folder that can be entered.`, {
      details: { workspace },
    });
  const check = programOf(validation_command);
  const programs = [programOf(host_command), check !== null && isSeenFromFolder(check) ? null : check]; // (P2)
  const folders = workspace === null ? repos : [workspace]; // (P1)
  const PATH = env["PATH"] ?? "";
  for (const program of programs.filter((program) => program !== null)) {
    const found = folders.map((folder) => places.findProgram(program, { workspace: folder, env: { PATH } }));
    if (!found.includes("found")) return hostMissing(program, found.includes("not_executable") ? "not_executable" : "missing");
  }
  return done(null);
}

function programOf(command: string | null): string | null {
  return command === null ? null : String(JSON.parse(command)[0]);
}

function hostMissing(program: string, found: "missing" | "not_executable"): Reply<never> {
  const message = found === "missing" ? `There is no program ${program}.` : `${program} cannot be started as a program.`;
  return refuse("host_missing", message, { details: { program }, fix: INSTALL_IT });
}
