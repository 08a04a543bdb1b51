/**
 * One process of the race: registers its goal in a folder that may not be a project yet, and records a run. `<folder> <goal id>`
 * Where the store is busy past its bound, it does what the answer says: it repeats the command.
 */

import { initProject } from "../../src/commands/init.ts";
import { PLAIN_RUN } from "../../src/commands/plain-run.ts";
import { refresh } from "../../src/commands/refresh.ts";
import { groundIn, valueFrom } from "../../src/commands/workspace.sample.ts";
import { isFault } from "../../src/errors.ts";

const [folder = "", goalId = ""] = process.argv.slice(2);
const ground = groundIn(folder);

async function patiently<T>(command: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await command();
    } catch (error) {
      if (!isFault(error) || error.code !== "store_busy") throw error;
    }
  }
}

await patiently(() => valueFrom(initProject(ground, { objective: `Work of ${goalId}`, goalId, project: null, dryRun: false })));
const workspace = await patiently(() => ground.workspace());
await patiently(() =>
  valueFrom(
    refresh(workspace, {
      ...PLAIN_RUN,
      goalId,
      nextAction: "Go on",
      turnInstanceId: "first",
    }),
  ),
);
for (const { store } of ground.opened) await store.close();
