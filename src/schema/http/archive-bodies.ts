/** What writes that move a goal's runtime data take; strict, as every body is (`bodies.ts`). */
import { z } from "@hono/zod-openapi";
import { dryRun, flag, optional } from "./fields.ts";

export const archiveBody = z
  .strictObject({ allow_registered: flag("also a goal that the registry has"), dry_run: dryRun })
  .openapi("ArchiveRequest");

export const restoreBody = z
  .strictObject({ archive_path: optional("this archive; the newest of the goal when it is left out"), dry_run: dryRun })
  .openapi("RestoreRequest");
