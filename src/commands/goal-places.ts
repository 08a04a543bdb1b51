/** Where the files of a goal of this project lie. */
import { type GoalPlaces, locateGoal } from "../core/registry/locate.ts";
import type { DeclaredGoal } from "../core/registry/registry.ts";
import type { Workspace } from "./workspace.ts";

export function placesOf(workspace: Pick<Workspace, "roots" | "home">, goal: DeclaredGoal): GoalPlaces {
  return locateGoal(goal, { registryPath: workspace.roots.registry_path, home: workspace.home });
}
