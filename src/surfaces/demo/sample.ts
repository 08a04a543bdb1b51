/**
 * The project that the demonstration makes: goals at work, and one of each thing that goes wrong.
 *
 * Only data; `sample-files.ts` writes it down in the reference's formats. Times are minutes before now.
 */

export interface SampleRun {
  readonly minutes_ago: number;
  readonly classification: string;
  readonly recommended_action: string;
  readonly agent_id: string;
}

export interface SampleTodo {
  readonly section: "user" | "agent" | "archive";
  readonly line: string;
  /** The comment below it. */
  readonly metadata?: string;
}

export interface SampleGoal {
  readonly id: string;
  /** Registered for it. */
  readonly agents: readonly string[];
  readonly objective: string;
  readonly next_action: string;
  readonly todos: readonly SampleTodo[];
  readonly runs: readonly SampleRun[];
  /** When its state file was last saved; null: it is missing. */
  readonly saved_minutes_ago: number | null;
  readonly registered: boolean;
  readonly index: "whole" | "damaged";
  /** What `loopx drift` has to find. */
  readonly drift: readonly string[];
}

const CLAUDE = "claude-1";
const CODEX = "codex-1";

const IMPORTER: SampleGoal = {
  id: "importer",
  agents: [CODEX, CLAUDE],
  objective: "Read the bank's CSV exports without losing a row.",
  next_action: "Handle quoted fields with line breaks in the CSV reader.",
  todos: [
    {
      section: "agent",
      line: "[ ] [P1] Handle quoted fields with line breaks",
      metadata: "todo_id=todo_quoted status=open claimed_by=codex-1",
    },
    { section: "agent", line: "[ ] [P2] Report the line of every row that is refused" },
    { section: "archive", line: "[x] Read plain fields" },
  ],
  runs: [
    run(1500, "plan_written", "Read plain fields first.", CODEX),
    run(300, "implementation", "Handle quoted fields with line breaks in the CSV reader.", CODEX),
    run(45, "tests_added", "Handle quoted fields with line breaks in the CSV reader.", CODEX),
  ],
  saved_minutes_ago: 45,
  registered: true,
  index: "whole",
  drift: [],
};

const API_DOCS: SampleGoal = {
  id: "api-docs",
  agents: [CLAUDE],
  objective: "Document every public endpoint with an example that runs.",
  next_action: "Write the chapter on errors, with one example a status code.",
  todos: [{ section: "agent", line: "[ ] [P1] Write the chapter on errors" }],
  runs: [
    run(2900, "implementation", "Draft the chapter on authentication.", CLAUDE),
    run(240, "implementation", "Polish the landing page and its pictures.", CLAUDE),
  ],
  saved_minutes_ago: 30,
  registered: true,
  index: "whole",
  drift: ["next_action_projection_mismatch"],
};

const RELEASE: SampleGoal = {
  id: "release-2",
  agents: [CLAUDE],
  objective: "Ship version 2 to all customers.",
  next_action: "Publish version 2 once the release notes are approved.",
  todos: [
    {
      section: "user",
      line: "[ ] [P0] Approve the release notes",
      metadata: "todo_id=todo_notes status=open task_class=user_gate",
    },
    { section: "agent", line: "[ ] [P1] Publish version 2" },
  ],
  runs: [run(1560, "release_candidate", "Publish version 2 once the release notes are approved.", CLAUDE)],
  saved_minutes_ago: 1560,
  registered: true,
  index: "whole",
  drift: [],
};

const SEARCH: SampleGoal = {
  id: "search",
  agents: [CODEX],
  objective: "Answer every search in 50 ms.",
  next_action: "Measure the slowest queries.",
  todos: [],
  runs: [run(4400, "baseline", "Measure the slowest queries.", CODEX)],
  saved_minutes_ago: null,
  registered: true,
  index: "whole",
  drift: ["state_file_missing"],
};

const MOBILE: SampleGoal = {
  id: "mobile",
  agents: [CLAUDE],
  objective: "Bring the app to phones.",
  next_action: "Make the list view scroll without stutter.",
  todos: [{ section: "agent", line: "[ ] [P1] Make the list view scroll without stutter" }],
  runs: [
    run(700, "prototype", "Make the list view scroll without stutter.", CLAUDE),
    run(640, "profiling", "Make the list view scroll without stutter.", CLAUDE),
    run(90, "implementation", "Make the list view scroll without stutter.", CLAUDE),
  ],
  saved_minutes_ago: 90,
  registered: true,
  index: "damaged",
  drift: ["index_damaged"],
};

const PROTOTYPE: SampleGoal = {
  id: "old-prototype",
  agents: [],
  objective: "",
  next_action: "",
  todos: [],
  runs: [run(60_000, "prototype", "Show it to the team.", CODEX)],
  saved_minutes_ago: null,
  registered: false,
  index: "whole",
  drift: ["runtime_goal_not_registered"],
};

export const SAMPLE_GOALS: readonly SampleGoal[] = [API_DOCS, IMPORTER, MOBILE, RELEASE, SEARCH, PROTOTYPE];

function run(minutes_ago: number, classification: string, recommended_action: string, agent_id: string): SampleRun {
  return { minutes_ago, classification, recommended_action, agent_id };
}
