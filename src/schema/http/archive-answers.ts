/** What the routes of archives and of the registry answer: the record that the command prints with `--json`. */
import { z } from "@hono/zod-openapi";
import { problem } from "./answers.ts";

const count = z.number().int().min(0);
const commands = z.array(z.string());

const moved = {
  ok: z.literal(true),
  goal_id: z.string(),
  registry: z.string(),
  runtime_root: z.string(),
  registry_member: z.boolean(),
  archive_path: z.string(),
  dry_run: z.boolean(),
  action: z.enum(["would-move", "moved"]),
  generation: count,
  warnings: z.array(problem),
};

export const archiveAnswer: z.ZodType = z
  .looseObject({ ...moved, source: z.string(), archived: z.boolean(), checks: z.array(z.string()) })
  .openapi("Archived");

export const restoreAnswer: z.ZodType = z
  .looseObject({ ...moved, target: z.string(), restored: z.boolean() })
  .openapi("Restored");

const archive = z.looseObject({
  goal_id: z.string(),
  archive_path: z.string(),
  archived_at: z.string(),
  restored_at: z.string().nullable(),
  exists: z.boolean(),
});

export const archivesAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    registry: z.string(),
    runtime_root: z.string(),
    archive_root: z.string(),
    goal_filter: z.string().nullable(),
    archive_count: count,
    archives: z.array(archive),
    left_out: z.looseObject({ archives: count, cursor: z.string().nullable(), get: commands }),
  })
  .openapi("Archives");

/** `ok` is false where an error is found in it. */
export const registryAnswer: z.ZodType = z
  .looseObject({
    ok: z.boolean(),
    registry: z.string(),
    runtime_root: z.string(),
    goal_count: count,
    status_counts: z.record(z.string(), count),
    problems: z.array(problem),
    problem_count: count,
    goals: z.array(z.looseObject({ goal_id: z.string() })),
    left_out: z.looseObject({ goals: count, problems: count, get: commands }),
  })
  .openapi("Registry");
