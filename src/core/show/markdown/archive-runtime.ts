/** `loopx archive` for people: what was done or would be, and how to do it. */
import { loopxCommand } from "../../command-line.ts";
import { code } from "../escape.ts";
import { page } from "./table.ts";

const BULLETS = [
  "ok",
  "goal_id",
  "registry_member",
  "dry_run",
  "archived",
  "action",
  "runtime_root",
  "source",
  "archive_path",
  "code",
  "error",
  "fix",
] as const;

/** An answer of `archive`, or why there is none; fields that are absent are left out. */
export interface ShownArchiving {
  readonly ok: boolean;
  readonly goal_id: string;
  readonly dry_run: boolean;
  readonly archived: boolean;
  readonly registry_member?: boolean;
  readonly action?: string;
  readonly runtime_root?: string | null;
  readonly source?: string;
  readonly archive_root?: string;
  readonly archive_path?: string;
  readonly checks?: readonly string[];
  readonly code?: string;
  readonly error?: string;
  readonly fix?: string;
  readonly warnings?: readonly { readonly path?: string; readonly message: string }[];
}

export function archiveRuntimePage(payload: ShownArchiving): string {
  const bullets = BULLETS.flatMap((name) => (payload[name] === undefined ? [] : [`- ${name}: ${code(String(payload[name]))}`]));
  const { checks = [], warnings = [] } = payload;
  return page(
    ["# LoopX Runtime Archive"],
    bullets,
    checks.length === 0 ? [] : ["## Checks", ...checks.map((check) => `- ${check}`)],
    warnings.length === 0 ? [] : ["## Warnings", ...warnings.map(({ path = "", message }) => `- ${code(path)} ${message}`)],
    payload.ok ? [lastLine(payload)] : [],
  );
}

function lastLine(payload: ShownArchiving): string {
  const { goal_id, archive_path = "" } = payload;
  if (payload.archived)
    return `Next: ${code(loopxCommand("restore", "--goal-id", goal_id, "--archive-path", archive_path))} brings it back`;
  return `Run again with ${code("--execute")} to move it: ${code(loopxCommand("archive", ...optionsOf(payload), "--execute"))}`;
}

function optionsOf({ goal_id, archive_root, runtime_root, registry_member }: ShownArchiving): readonly string[] {
  const usual = archive_root === undefined || archive_root === `${runtime_root}/archived-goals`;
  return [
    "--goal-id",
    goal_id,
    ...(usual ? [] : ["--archive-root", archive_root]),
    ...(registry_member === true ? ["--allow-registered"] : []),
  ];
}
