/** Routes of the registry as it is, and of goals that are moved out of the way and back. */
import { archiveAnswer, archivesAnswer, registryAnswer, restoreAnswer } from "../../../schema/http/archive-answers.ts";
import { archiveBody, restoreBody } from "../../../schema/http/archive-bodies.ts";
import { read, type UseCase, write } from "../use-case.ts";
import { pageOf } from "./page-of.ts";

export const ARCHIVE_CASES: readonly UseCase[] = [
  read({
    path: "/registry",
    summary: "The registry in use, and what is wrong with it.",
    parameters: [],
    answer: registryAnswer,
    ask: (app) => app.registry(),
  }),
  read({
    path: "/archives",
    summary: "The archives, newest first.",
    parameters: ["goal_id", "limit", "cursor"],
    moves_with: "clock", // and with the folders, of which no fact tells
    answer: archivesAnswer,
    ask: (app, { given }) => app.archives({ ...pageOf(given), goalId: given.goal_id ?? null, archiveRoot: null }),
  }),
  write({
    path: "/goals/{goal_id}/archive",
    summary: "Moves the goal's runtime data into the archive.",
    body: archiveBody,
    answer: archiveAnswer,
    ask: (app, { ids, body }) => {
      const { allow_registered, dry_run } = body;
      const about = { goalId: ids.goal_id, archiveRoot: null, dryRun: dry_run ?? false };
      return app.archive({ ...about, allowRegistered: allow_registered ?? false });
    },
  }),
  write({
    path: "/goals/{goal_id}/restore",
    summary: "Puts an archived goal back, byte for byte.",
    body: restoreBody,
    answer: restoreAnswer,
    ask: (app, { ids, body }) => {
      const about = { goalId: ids.goal_id, archiveRoot: null, dryRun: body.dry_run ?? false };
      return app.restore({ ...about, archivePath: body.archive_path ?? null });
    },
  }),
];
