/**
 * The plan of the main job: three goals, their todos, and the programs of `project/` that do and check each.
 *
 * Only data; `make-work.ts` writes it down.
 */

export interface WorkTodo {
  readonly id: string;
  readonly text: string;
  /** Of the goal's program, and of `check.mjs`. */
  readonly step: string;
  readonly after?: readonly string[];
  /** Looked after at this cadence, never closed. */
  readonly cadence?: string;
}

export interface WorkGoal {
  readonly id: string;
  readonly objective: string;
  readonly todos: readonly WorkTodo[];
  readonly question?: { readonly id: string; readonly text: string; readonly holds_up: string };
}

const ACCOUNTS: WorkGoal = {
  id: "accounts",
  objective: "Report the month from the bank's export, to the cent.",
  todos: [
    { id: "todo_fetch", text: "Fetch the bank's export", step: "fetch" },
    { id: "todo_parse", text: "Read every transaction", step: "parse", after: ["todo_fetch"] },
    { id: "todo_totals", text: "Add up by category", step: "totals", after: ["todo_parse"] },
    { id: "todo_report", text: "Write the report of June", step: "report", after: ["todo_totals"] },
  ],
};

const SITE: WorkGoal = {
  id: "site",
  objective: "Publish the manual with a search and no dead link.",
  todos: [
    { id: "todo_render", text: "Render the pages", step: "render" },
    { id: "todo_links", text: "Follow every link", step: "links", after: ["todo_render"] },
    { id: "todo_search", text: "Index the words", step: "search" },
    { id: "todo_map", text: "Map the site", step: "map" },
  ],
};

const RELEASE: WorkGoal = {
  id: "release",
  objective: "Ship version 1.0, tested and signed off.",
  todos: [
    { id: "todo_test", text: "Run the unit tests", step: "test" },
    { id: "todo_pack", text: "Pack version 1.0", step: "pack", after: ["todo_test"] },
    { id: "todo_sum", text: "Write the checksum", step: "sum", after: ["todo_pack"] },
    { id: "todo_publish", text: "Publish version 1.0", step: "publish", after: ["todo_sum"] },
    { id: "todo_announce", text: "Announce version 1.0", step: "announce", after: ["todo_publish"] },
    { id: "todo_size", text: "Watch the size of the app", step: "size", cadence: "1h" },
  ],
  question: { id: "todo_approve", text: "Publish version 1.0?", holds_up: "todo_publish" },
};

export const WORK_GOALS: readonly WorkGoal[] = [ACCOUNTS, SITE, RELEASE];
export const WORK_AGENTS: readonly string[] = ["ada", "bob", "cleo", "dan"];
