/** What writes about a team of agents take; strict, as every body is (`bodies.ts`). */
import { z } from "@hono/zod-openapi";
import { flag, optional } from "./fields.ts";

const session = optional("name of the team (team)");

export const teamStopBody = z.strictObject({ session, now: flag("turns are not waited for") }).openapi("TeamStopRequest");

export const teamWakeBody = z
  .strictObject({ session, agent_id: optional("this agent; all of them when it is left out") })
  .openapi("TeamWakeRequest");
