/**
 * What a command says about a todo, under the names of its metadata, checked and in the form in which it is kept.
 *
 * Does not own: how metadata is written in the file (`core/plan/metadata.ts`), what a todo of a class must say
 * (`todo-demands.ts`), what the values do (`todo-traits.ts`).
 *
 * W1  A value that is kept is one that can be read back: what cannot is refused with the name of its key, never dropped.
 * W2  Not said is not changed: only keys that were given are in the answer; null takes a key away.
 */
import { type AgentId, parseAgentId, parseTodoId } from "../id.ts";
import { parseInstant, toRunTime } from "../instant.ts";
import { type BadInput, done, type Reply, reject } from "../result.ts";
import { argvFlaw, isUnprintable } from "../verify/argv.ts";
import { cadenceOf, wakeOf } from "./todo-traits.ts";

type Word = string | readonly string[] | number | boolean | null;

/** Null, an empty list: not said. `false` takes a flag away. */
export interface TodoWords {
  readonly task_class?: string | null;
  readonly action_kind?: string | null;
  readonly claimed_by?: string | null;
  readonly bound_agent?: string | null;
  readonly excluded_agents?: readonly string[];
  readonly blocks_agent?: readonly string[];
  readonly depends_on?: readonly string[];
  readonly unblocks_todo_id?: readonly string[];
  readonly resume_when?: string | null;
  readonly target_key?: string | null;
  readonly cadence?: string | null;
  readonly expires_at?: string | null;
  readonly next_due_at?: string | null;
  readonly required_capabilities?: readonly string[];
  readonly target_capabilities?: readonly string[];
  readonly required_write_scopes?: readonly string[];
  readonly decision_scope?: string | null;
  readonly required_decision_scopes?: readonly string[];
  readonly on_reject?: string | null;
  readonly default_outcome?: string | null;
  readonly continuation_policy?: string | null;
  readonly validation_command?: string | null;
  readonly validation_command_argv?: string | null;
  readonly validation_label?: string | null;
  readonly validation_timeout_seconds?: number | null;
  readonly run?: string | null;
  readonly watch_only?: boolean | null;
  readonly goal_bound?: boolean | null;
  readonly global_gate?: boolean | null;
  readonly note?: string | null;
  readonly evidence?: string | null;
  readonly reason?: string | null;
}

export type WordKey = keyof TodoWords;
/** By key of the metadata; null removes it. */
export type MetadataPatch = Readonly<Record<string, string | null>>;

/** The value as it is kept, or what is wrong with it. */
type Reading = { readonly value: string } | { readonly flaw: string; readonly code?: string; readonly near?: readonly string[] };
type Reader = (text: string, agents: readonly AgentId[]) => Reading;

const keep = (value: string): Reading => ({ value });
const flawed = (flaw: string, code?: string): Reading => (code === undefined ? { flaw } : { flaw, code });

const oneOf =
  (...values: readonly string[]): Reader =>
  (text) =>
    values.includes(text) ? keep(text) : { flaw: `is one of ${values.join(", ")}`, near: values };

const like =
  (pattern: RegExp, saying: string): Reader =>
  (text) =>
    pattern.test(text) ? keep(text) : flawed(`is ${saying}`);

const agentId: Reader = (text, agents) => {
  const agent = parseAgentId(text);
  if (agent === null) return flawed("is an agent id: 1 to 80 of a-z 0-9 _ . : @ -, a letter first", "agent_id_invalid");
  if (agents.length === 0 || agents.includes(agent)) return keep(agent);
  return { flaw: `names ${agent}, which is not an agent of this goal`, code: "unknown_agent", near: agents };
};

const todoId: Reader = (text) =>
  parseTodoId(text) === null ? flawed("is a todo id: todo_ and 3 to 64 of a-z 0-9 _ -", "todo_id_invalid") : keep(text);

const capability: Reader = (text) => {
  const name = text.toLowerCase().replaceAll("-", "_");
  return /^[a-z][a-z0-9_:]{0,63}$/.test(name) ? keep(name) : flawed("is a capability: a letter and 0 to 63 of a-z 0-9 _ :");
};

const writeScope: Reader = (text) =>
  text.length > 160 || /[\s<>,]/.test(text) || text.startsWith("/") || text.split("/").includes("..")
    ? flawed("is a path pattern inside the project: relative, no .., no white space, at most 160 characters")
    : keep(text);

const decisionScope = like(
  /^(?:private_read|write_scope|resource|production|public_claim|direction|other):(?:action|lane|goal|project|global):[^\s,<>]{1,120}$/,
  "kind:granularity:key, for example direction:goal:importer",
);

const time: Reader = (text) => {
  const at = parseInstant(text);
  return at === null ? flawed("is a time such as 2026-12-01T09:00:00Z") : keep(toRunTime(at));
};

const cadence: Reader = (text) =>
  cadenceOf({ metadata: { cadence: text } }) === null || /^0+\D/.test(text)
    ? flawed("is a number of s, m, h, d or w, for example 30m")
    : keep(text);

/** JSON arguments of a program, in one form. */
const argv: Reader = (text) => {
  const words = argvIn(text);
  const flaw = words === null ? "is a JSON array of texts" : argvFlaw(words);
  return flaw === null ? keep(JSON.stringify(words)) : flawed(flaw);
};

const wake: Reader = (text) => {
  const found = wakeOf({ metadata: { resume_when: text } });
  if (found === null) return flawed("is empty");
  if (found.kind === "time") return keep(`at:${toRunTime(found.at)}`);
  if (found.kind === "todo_done") return keep(`todo_done:${found.todo_id}`);
  if (found.kind === "capacity_available") return keep(`capacity_available:${found.capability}`);
  return polledCondition(text);
};

/** Conditions that `poll` looks up, and those of the reference that somebody else reports. */
function polledCondition(text: string): Reading {
  const [word = "", ...rest] = text.split(":");
  const value = rest.join(":");
  if (word === "command") {
    const read = argv(value, []);
    return "value" in read ? keep(`command:${read.value}`) : flawed(`has a command that ${read.flaw}`);
  }
  if (word === "pr_merged" && /#\d{1,9}$/.test(value) && !isUnprintable(value)) return keep(text);
  return flawed("is todo_done:ID, capacity_available:NAME, a time, pr_merged:OWNER/REPO#N or command:JSON-ARGUMENTS");
}

const words: Reader = (text) => {
  const said = text.trim();
  if (said === "") return flawed("is empty");
  return said.includes("\0") ? flawed("has the character U+0000") : keep(said);
};

const name: Reader = (text) =>
  isUnprintable(text) || text.trim() === "" ? flawed("has a control character, or nothing") : keep(text);

const READERS: Readonly<Record<WordKey, Reader>> = {
  task_class: oneOf("advancement_task", "continuous_monitor", "blocker", "user_gate", "user_action"),
  action_kind: like(/^[a-z][a-z0-9_-]{0,63}$/, "a letter and 0 to 63 of a-z 0-9 _ -"),
  claimed_by: agentId,
  bound_agent: agentId,
  excluded_agents: agentId,
  blocks_agent: agentId,
  depends_on: todoId,
  unblocks_todo_id: todoId,
  resume_when: wake,
  target_key: name,
  cadence,
  expires_at: time,
  next_due_at: time,
  required_capabilities: capability,
  target_capabilities: capability,
  required_write_scopes: writeScope,
  decision_scope: decisionScope,
  required_decision_scopes: decisionScope,
  on_reject: oneOf("close", "reopen"),
  default_outcome: oneOf("approve", "reject"),
  continuation_policy: oneOf("independent_handoff", "same_agent_non_delivery"),
  validation_command: name,
  validation_command_argv: argv,
  validation_label: name,
  validation_timeout_seconds: like(/^\d{1,4}$/, "a whole number of seconds"),
  run: argv,
  watch_only: words,
  goal_bound: words,
  global_gate: words,
  note: words,
  evidence: words,
  reason: words,
};

/** (W2) */
export function metadataPatch(said: TodoWords, agents: readonly AgentId[]): Reply<MetadataPatch> {
  const patch: Record<string, string | null> = {};
  for (const [key, word] of Object.entries(said) as [WordKey, Word | undefined][]) {
    if (word === undefined || word === null || (Array.isArray(word) && word.length === 0)) continue;
    const read = keptFor(key, word, agents);
    if (typeof read === "object" && read !== null) return read;
    patch[key] = read;
  }
  return done(patch);
}

function keptFor(key: WordKey, word: Exclude<Word, null>, agents: readonly AgentId[]): string | null | BadInput {
  if (typeof word === "boolean") return word ? "true" : null;
  const entries = typeof word === "object" ? word : [String(word)];
  const values: string[] = [];
  for (const entry of entries) {
    const read = READERS[key](entry, agents);
    if (!("value" in read)) return flawOf(key, entry, read);
    if (!values.includes(read.value)) values.push(read.value);
  }
  return values.join(",");
}

/** (W1) */
function flawOf(key: WordKey, entry: string, read: Exclude<Reading, { readonly value: string }>): BadInput {
  const code = read.code ?? `${key}_invalid`;
  const message = `${key} ${read.flaw}; it cannot be ${JSON.stringify(entry.slice(0, 80))}.`;
  return reject(code, message, {
    problems: [{ path: key, code, message }],
    ...(read.near !== undefined && { near: read.near }),
  });
}

/** Null: the text is no JSON array of texts. */
export function argvIn(text: string): readonly string[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((entry): entry is string => typeof entry === "string") ? value : null;
  } catch {
    return null;
  }
}

/** The metadata with what was said; keys keep their place, new ones come last, as a splice writes them. */
export function patched(metadata: Readonly<Record<string, string>>, patch: MetadataPatch): Readonly<Record<string, string>> {
  const merged: Record<string, string | null> = { ...metadata, ...patch };
  return Object.fromEntries(Object.entries(merged).filter((entry): entry is [string, string] => entry[1] !== null));
}
