/**
 * A team for people: its plan, its picture (one line an agent), what happened line by line, how it ended.
 *
 * E1  A picture has one line an agent and never more than a screen's width; every text of data is escaped.
 * E2  A plan has at most ten lines.
 */
import { loopxCommand } from "../../command-line.ts";
import type { Instant } from "../../instant.ts";
import { millisecondsBetween } from "../../instant.ts";
import { type LaunchSpec, relaunchArguments } from "../../team/launch-spec.ts";
import type { AgentRecord, SessionRecord } from "../../team/records.ts";
import type { TeamNote } from "../../team/team.ts";
import { code, plain } from "../escape.ts";
import { screenTable } from "./screen-table.ts";
import { counted, list, page } from "./table.ts";
import { fitted } from "./width.ts";

export interface PlanView {
  readonly spec: LaunchSpec;
  readonly goals: readonly string[];
  readonly registers: Readonly<Record<string, readonly string[]>>;
  readonly runtime_root: string;
  readonly folder: string;
}

const GOALS_NAMED = 6;
const AGENTS_NAMED = 8;

/** E2. */
export function planPage({ spec, goals, registers, runtime_root, folder }: PlanView): string {
  const added = Object.values(registers).flat();
  return page(
    [`# Team ${code(spec.session)}: ${counted(spec.agents.length, "agent")}, ${counted(goals.length, "goal")}`],
    list([
      `agents: ${named(spec.agents, AGENTS_NAMED)}${added.length === 0 ? "" : `; new in the registry: ${named([...new Set(added)], AGENTS_NAMED)}`}`,
      `goals: ${named(goals, GOALS_NAMED)}`,
      `host: ${code(spec.host)}${spec.host_command === null ? "" : ` ${code(spec.host_command)}`}, in ${spec.workspace === null ? "the folder of each goal" : code(spec.workspace)}`,
      `checks: ${checksOf(spec)}`,
      `caps: ${capsOf(spec)}`,
      `logs: ${code(`${folder}/logs`)}`,
      `stop: Ctrl-C, or ${code(loopxCommand("agents", "stop", "--runtime-root", runtime_root, "--session", spec.session))}`,
    ]),
  );
}

function named(names: readonly string[], limit: number): string {
  const left = names.length - limit;
  return `${names.slice(0, limit).map(code).join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}

function checksOf({ validation_command, accept_unvalidated }: LaunchSpec): string {
  const own = validation_command === null ? "those of each todo" : `${code(validation_command)} beside those of each todo`;
  return accept_unvalidated ? `${own}; a todo without any is taken too` : own;
}

function capsOf(spec: LaunchSpec): string {
  return [
    spec.max_turns === null ? "turns without limit" : `${counted(spec.max_turns, "turn")} an agent`,
    `a turn at most ${spec.turn_timeout_s ?? 1800} s`,
    ...(spec.turn_idle_timeout_s === null ? [] : [`without output at most ${spec.turn_idle_timeout_s} s`]),
    ...(spec.max_load === null ? [] : [`load at most ${spec.max_load} per core`]),
    ...(spec.idle_exit_s === null
      ? []
      : [`idle ${spec.idle_exit_s === "never" ? "without limit" : `at most ${spec.idle_exit_s} s`}`]),
  ].join(", ");
}

export interface TeamPicture {
  readonly session: SessionRecord;
  readonly agents: readonly AgentRecord[];
  /** Per core. */
  readonly load: number;
}

const AGENT_WIDTH = 16;
const RESULT_WIDTH = 18;

/** E1. */
export function teamPicture(
  { session, agents, load }: TeamPicture,
  now: Instant,
  standing: string = standingOf(session, now),
): readonly string[] {
  const head = ["agent", "state", "todo", "turns", "last result", "age"];
  const rows = agents.map((agent) => [
    fitted(agent.agent_id, AGENT_WIDTH),
    agent.state.replace("_", " "),
    subjectOf(agent),
    String(agent.turns),
    agent.last_result === null ? "-" : fitted(agent.last_result.outcome.replaceAll("_", " "), RESULT_WIDTH),
    spanOf(agent.since, now),
  ]);
  return [...screenTable({ head, rows, flexible: 2 }), `Load ${load.toFixed(2)} per core; ${standing}`];
}

function subjectOf(agent: AgentRecord): string {
  if (agent.state === "working") return agent.text ? agent.text : (agent.todo_id ?? agent.goal_id ?? "-");
  return agent.why ?? "-";
}

function standingOf(session: SessionRecord, now: Instant): string {
  const cooling = session.status !== "ended" && session.cool_down_until !== null && session.cool_down_until > now;
  return cooling ? `the team pauses until ${session.cool_down_until}: rate limit.` : `${session.status}.`;
}

/** Seconds, because people watch. */
function spanOf(since: Instant, now: Instant): string {
  const seconds = Math.max(0, Math.floor(millisecondsBetween(since, now) / 1000));
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`;
}

export interface TeamStanding extends TeamPicture {
  readonly standing: "running" | "ended" | "dead";
}

export function teamPage(team: TeamStanding, now: Instant): string {
  const { session, standing } = team;
  const { runtime_root, session: name } = session;
  const options = ["--runtime-root", runtime_root, "--session", name];
  const isDead = standing === "dead";
  const dead = isDead ? ["Its supervisor ended without a word."] : [];
  const next = {
    dead: ["agents", "stop", ...options],
    running: ["agents", "logs", "--follow", ...options],
    ended: relaunchArguments(session.spec, session),
  }[standing];
  return page(
    [`# Team ${code(name)}: ${standing}`],
    teamPicture(team, now, isDead ? "dead." : undefined),
    attentionOf(session, standing),
    [...dead, `Next: ${code(loopxCommand(...next))}`],
  );
}

/** Of a team that has ended, nobody is there to be woken. */
function attentionOf(session: SessionRecord, standing: TeamStanding["standing"]): readonly string[] {
  const { attention, runtime_root, session: name, spec } = session;
  return list(
    attention.map(({ agent_id, code: what, message, fix }) => {
      const wake = ["agents", "wake", agent_id, "--runtime-root", runtime_root, "--session", name];
      const then = standing === "running" ? wake : relaunchArguments(spec, session);
      return `${code(agent_id)} needs you (${code(what)}): ${plain(message)} ${fix === null ? "" : `Try: ${plain(fix)}. `}Then ${code(loopxCommand(...then))}`;
    }),
  );
}

export interface TeamOver extends TeamPicture {
  readonly outcome: string;
}

const OUTCOMES: Readonly<Record<string, string>> = {
  clean: "all agents have ended",
  fatal: "some agents need a person",
  breaker: "it failed too often and was given up",
};

export function teamOverPage(over: TeamOver, now: Instant): string {
  const { session } = over;
  const turns = over.agents.reduce((sum, agent) => sum + agent.turns, 0);
  const options = ["--runtime-root", session.runtime_root, "--session", session.session];
  return page(
    [`# Team ${code(session.session)}: ${OUTCOMES[over.outcome] ?? `ended by ${over.outcome}`}, ${counted(turns, "turn")}`],
    teamPicture(over, now),
    attentionOf(session, "ended"),
    [`Logs: ${code(loopxCommand("agents", "logs", ...options))}`],
  );
}

/** One line of what happened; null: nothing that people would miss. */
export function noteLine({ event, at, agent_id, ...facts }: TeamNote): string | null {
  if (SILENT.has(event)) return null;
  const words = FACTS.flatMap((name) => {
    const value = facts[name];
    return typeof value === "string" || typeof value === "number" ? [`${plain(String(value))}`] : [];
  });
  return `${at.slice(11, 19)} ${[agent_id ?? "team", event.replaceAll("_", " "), ...words].join(" · ")}`;
}

const SILENT: ReadonlySet<string> = new Set(["exited"]);
const FACTS: readonly string[] = ["todo_id", "text", "outcome", "summary", "why", "until", "message", "fix"];
