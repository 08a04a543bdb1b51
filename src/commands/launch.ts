/**
 * Launches a team: looks at everything that can be known before, then supervises, here or in a program of its own.
 *
 * Does not own: what words may say (`core/team/launch-request.ts`), supervising (`launch-team.ts`).
 *
 * L1  What would stop the team at its first turn is refused before any process is started.
 * L2  One supervisor a session. What a dead one left running is ended before anything new is started.
 * L3  A rehearsal creates nothing, not even a folder.
 */
import { dirname, resolve } from "node:path";
import { loopxCommand } from "../core/command-line.ts";
import { done, type Reply, refuse, reject } from "../core/result.ts";
import { launchSpec } from "../core/team/launch-request.ts";
import { readReferenceSpec } from "../core/team/reference-spec.ts";
import type { ProcessIdentity } from "../ports/process.ts";
import type { SessionFolder } from "../ports/team.ts";
import { placesOf } from "./goal-places.ts";
import { startDetached } from "./launch-detached.ts";
import { runTeam } from "./launch-team.ts";
import type { LaunchAnswer, Launching, LaunchPlan, LaunchRequest } from "./launch-words.ts";
import { registryRows } from "./registry-rows.ts";
import { goalsOfTeam, registerAgents } from "./team-goals.ts";
import { runningTasksBar } from "./team-limits.ts";
import { placeFlaw } from "./team-places.ts";
import type { TeamWorld } from "./team-ports.ts";
import type { WritingWorkspace } from "./workspace.ts";

export async function launch(
  workspace: WritingWorkspace,
  world: TeamWorld,
  { request, launching }: { readonly request: LaunchRequest; readonly launching: Launching },
): Promise<Reply<LaunchAnswer>> {
  const asked = withReferenceSpec(workspace, request);
  if (asked.kind !== "done") return asked;
  const planned = await planOf(workspace, world, asked.value);
  if (planned.kind !== "done") return planned;
  const { plan, folder } = planned.value;
  launching.onPlan(plan);
  if (request.dryRun) return done({ kind: "planned", plan }); // (L3)
  if (request.mode === "detach") {
    const started = await startDetached({ world, folder }, plan);
    return started.kind === "done" ? done({ kind: "detached", plan, pid: started.value }) : started;
  }
  return await supervise({ workspace, world, folder }, plan, launching);
}

function withReferenceSpec({ files }: WritingWorkspace, request: LaunchRequest): Reply<LaunchRequest> {
  const { spec: path } = request;
  if (path === null) return done(request);
  const read = files.readText(path);
  if (read.kind === "missing") return reject("spec_not_found", `There is no file ${path}.`);
  if (read.kind === "unreadable")
    return reject("spec_unreadable", `${path} ${read.problem.message}.`, { problems: [read.problem] });
  const spec = readReferenceSpec(read.text, path);
  if (spec.kind !== "done") return spec;
  const { goal_id, agents, session, workspace } = spec.value;
  return done({
    ...request,
    agents: null,
    agentIds: agents,
    goalIds: [goal_id],
    session: request.session ?? session ?? `loopx-${goal_id}-agents`,
    workspace: request.workspace ?? (workspace === null ? null : resolve(dirname(path), workspace)),
  });
}

interface Ground {
  readonly workspace: WritingWorkspace;
  readonly world: TeamWorld;
  readonly folder: SessionFolder;
}

/** L1. */
async function planOf(
  workspace: WritingWorkspace,
  world: TeamWorld,
  request: LaunchRequest,
): Promise<Reply<{ readonly plan: LaunchPlan; readonly folder: SessionFolder }>> {
  const spec = launchSpec(request, world.hosts);
  if (spec.kind !== "done") return spec;
  const { registry_path: registry, runtime_root } = workspace.roots;
  const folder = world.folders(runtime_root, spec.value.session);
  const free = unlessHeld(world, folder, { session: spec.value.session, runtime_root });
  if (free.kind !== "done") return free;
  const team = await goalsOfTeam(workspace, spec.value, request);
  if (team.kind !== "done") return team;
  const { goals, registers } = team.value;
  const flaw = placeFlaw(
    world,
    spec.value,
    goals.map((goal) => placesOf(workspace, goal).repo),
  );
  if (flaw.kind !== "done") return flaw;
  const registered = request.dryRun ? done(null) : await registerAgents(workspace, registers);
  if (registered.kind !== "done") return registered;
  const plan = { spec: spec.value, goals: goals.map(({ goal_id }) => goal_id), registers };
  return done({ folder, plan: { ...plan, registry, runtime_root, folder: folder.path } });
}

interface Named {
  readonly session: string;
  readonly runtime_root: string;
}

function unlessHeld({ identities }: TeamWorld, folder: SessionFolder, { session, runtime_root }: Named): Reply<null> {
  const holder = folder.holder();
  return holder !== null && identities.isAlive(holder) ? held(holder, { session, runtime_root }) : done(null);
}

function held({ pid }: ProcessIdentity, { session, runtime_root }: Named): Reply<never> {
  return refuse("session_running", `The session ${session} is running already, supervised by process ${pid}.`, {
    details: { session, pid },
    fix: loopxCommand("agents", "status", "--runtime-root", runtime_root, "--session", session),
  });
}

async function supervise(ground: Ground, plan: LaunchPlan, launching: Launching): Promise<Reply<LaunchAnswer>> {
  const { workspace, world, folder } = ground;
  const taken = folder.take(world.identities.self(), world.identities.isAlive); // (L2)
  if (taken.kind === "held") return held(taken.by, { session: plan.spec.session, runtime_root: plan.runtime_root });
  if (taken.kind === "refused")
    return refuse("runtime_root_unwritable", `${taken.problem.path} ${taken.problem.message}.`, {
      details: { folder: folder.path },
    });
  await endLeftovers(ground);
  const rows = await registryRows(workspace);
  if (rows.kind !== "done") return rows;
  const { registry, runtime_root, spec } = plan;
  const ending = await runTeam(
    { ...world, folder, log: workspace.log },
    {
      spec,
      places: { registry, runtime_root },
      version: world.version,
      env: world.env,
      cwd: world.cwd,
      marker: `loopx-${workspace.ids.suffix()}`,
      now: workspace.clock.now(),
      bar: runningTasksBar(workspace, plan.goals),
    },
    launching,
  );
  return done({ kind: "over", plan, ending });
}

/** L2. */
async function endLeftovers({ workspace, world, folder }: Ground): Promise<void> {
  const before = folder.session();
  if (before === null || before.status === "ended") return;
  const swept = await world.processes.sweep({ LOOPX_SESSION_MARKER: before.marker }, LEFTOVER_GRACE_MS);
  const at = workspace.clock.now();
  folder.append({ event: "leftovers_ended", at, agent_id: null, supervisor: before.pid, swept });
}

const LEFTOVER_GRACE_MS = 5000;
