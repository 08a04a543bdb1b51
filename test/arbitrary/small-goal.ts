/** Small goals as people write them: a few todos of every kind, questions, and what the registry says of quota. */
import fc from "fast-check";

export interface SmallGoal {
  readonly state: string;
  /** Beside what every entry of the registry has. */
  readonly entry: Readonly<Record<string, unknown>>;
}

const IDS = ["todo_aaa", "todo_bbb", "todo_ccc", "todo_ddd", "todo_eee"];
const AGENTS = ["a1", "a2"];

const agent = fc.constantFrom(...AGENTS);
const other = fc.constantFrom(...IDS);
const time = fc.constantFrom("2020-01-01T00:00:00Z", "2120-01-01T00:00:00Z");

const said = {
  status: fc.constantFrom("open", "open", "open", "blocked", "deferred", "done"),
  task_class: fc.constantFrom("advancement_task", "continuous_monitor", "blocker"),
  claimed_by: agent,
  excluded_agents: agent,
  depends_on: other,
  resume_when: fc.oneof(
    time.map((at) => `at:${at}`),
    other.map((id) => `todo_done:${id}`),
    fc.constant("capacity_available:gpu"),
  ),
  required_capabilities: fc.constant("gpu"),
  next_due_at: time,
  required_write_scopes: fc.constantFrom("src/a.ts", "src/**"),
};

/** Little is said of each: what is held back in many ways is never taken up. */
const work = fc
  .subarray(Object.keys(said) as (keyof typeof said)[], { maxLength: 2 })
  .chain((keys) => fc.record(Object.fromEntries(keys.map((key) => [key, said[key]]))));

const question = fc.record(
  {
    task_class: fc.constantFrom("user_gate", "user_action"),
    unblocks_todo_id: other,
    blocks_agent: agent,
    decision_scope: fc.constant("direction:goal:alpha"),
  },
  { requiredKeys: ["task_class"] },
);

const priority = fc.constantFrom("", "", "[P0] ", "[P1] ", "[P2] ");

type Line = readonly [metadata: Readonly<Record<string, string | undefined>>, priority: string];

function lineOf([metadata, rank]: Line, id: string): string {
  const said = Object.entries({ status: "open", ...metadata }).map(([key, value]) => `${key}=${value}`);
  const box = metadata["status"] === "done" ? "[x]" : "[ ]";
  return `- ${box} ${rank}Do ${id}\n  <!-- loopx:todo todo_id=${id} ${said.join(" ")} -->`;
}

const HEAD = "---\nstatus: active\n---\n# Alpha\n\n## Objective\n\nShip it.\n\n## Next Action\n\n- Begin.\n";

function stateOf(questions: readonly Line[], todos: readonly Line[]): string {
  const asked = questions.map((line, at) => lineOf(line, `todo_q${at}q`));
  const open = todos.map((line, at) => lineOf(line, IDS[at] ?? ""));
  return [HEAD, "## User Todo\n", ...asked, "\n## Agent Todo\n", ...open, ""].join("\n");
}

const entry = fc.record(
  {
    quota: fc.oneof(
      fc.constant({ allowed_slots: 1 }),
      fc.constant({ compute: 0 }),
      fc.constant({ tokens: 1000 }),
      fc.constant({}),
    ),
    coordination: fc.constant({ registered_agents: AGENTS }),
    activation: fc.constantFrom({ state: "active" }, { state: "active" }, { state: "active" }, { state: "stopped" }, "odd"),
  },
  { requiredKeys: [] },
);

export const smallGoal: fc.Arbitrary<SmallGoal> = fc
  .tuple(
    fc.array(fc.tuple(question, priority), { maxLength: 2 }),
    fc.array(fc.tuple(work, priority), { minLength: 1, maxLength: 5 }),
    entry,
  )
  .map(([questions, todos, more]) => ({ state: stateOf(questions, todos), entry: more }));
