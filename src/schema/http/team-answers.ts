/** What the routes of a team of agents answer: the record that the command prints with `--json`. */
import { z } from "@hono/zod-openapi";

const count = z.number().int().min(0);
const team = { ok: z.literal(true), session: z.string() };

export const teamAnswer: z.ZodType = z
  .looseObject({
    ok: z.literal(true),
    standing: z.enum(["running", "ended", "dead"]),
    session: z.looseObject({ session: z.string(), status: z.string(), pid: count, started_at: z.string() }),
    agents: z.array(z.looseObject({ agent_id: z.string(), state: z.string(), turns: count, restarts: count, since: z.string() })),
    load: z.number(),
    cores: count,
    folder: z.string(),
  })
  .openapi("Team");

export const teamLogsAnswer: z.ZodType = z
  .looseObject({
    ...team,
    standing: z.enum(["running", "over"]),
    logs: z.array(z.looseObject({ agent_id: z.string(), path: z.string(), lines: z.array(z.string()) })),
    sizes: z.record(z.string(), count),
  })
  .openapi("TeamLogs");

export const teamStopAnswer: z.ZodType = z
  .looseObject({ ...team, how: z.enum(["told", "signalled", "swept", "not_running"]), swept: count, now: z.boolean() })
  .openapi("TeamStopped");

export const teamWakeAnswer: z.ZodType = z.looseObject({ ...team, agent_id: z.string().nullable() }).openapi("TeamWoken");
