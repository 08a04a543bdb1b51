// Which modules are one chunk: those that the same commands need.
//
// Each file costs a start a third of a millisecond, and each KiB of code that it does not need a thirtieth. A module's imports are
// needed by whoever needs the module, so no two chunks wait for each other.

import { join } from "node:path";
import { ROOT } from "./setup.mjs";

/** What is loaded before the command is known. */
const START = ["src/surfaces/cli/process-host.ts"];
/** What every command that opens a project loads. */
const BASE = ["src/compose.ts", "src/commands/subjects.ts", "src/core/show/paging.ts"];
/** What the commands that agents start every turn load beside it, at once or on demand. */
const OFTEN = {
  status: ["src/commands/status.ts", "src/surfaces/cli/commands/status.ts"],
  history: ["src/commands/history.ts", "src/surfaces/cli/commands/history.ts"],
  drift: ["src/commands/drift.ts", "src/surfaces/cli/commands/drift.ts"],
  next: ["src/commands/next.ts", "src/surfaces/cli/commands/next.ts", "src/adapters/sqlite/frontier.ts"],
  // One for all that agents write: what each has for itself is less than what another file costs.
  write: [
    "src/commands/refresh.ts",
    "src/commands/claim.ts",
    "src/commands/done.ts",
    "src/commands/read-runs.ts",
    "src/surfaces/cli/commands/refresh.ts",
    "src/surfaces/cli/commands/claim.ts",
    "src/surfaces/cli/commands/done.ts",
    "src/adapters/files/editable-files.ts",
    "src/adapters/files/run-mirror.ts",
    "src/adapters/sqlite/decide-and-store.ts",
  ],
};
const ALL = Object.keys(OFTEN).join("-");
/** Shorter ones, in letters of the source, cost more as a file than as a part of what every command loads. */
const LEAST_CHUNK = 8192;

/**
 * A plugin that looks at the modules, and the name of a module's chunk; null where the bundler may choose.
 * @returns {{ readonly plugin: import("rolldown").Plugin, readonly nameOf: (id: string) => string | null }}
 */
export function chunkNames() {
  /** @type {ReadonlyMap<string, string>} */
  let names = new Map();
  const plugin = {
    name: "chunk-names",
    /** @this {import("rolldown").PluginContext} */
    buildEnd() {
      const graph = { importsOf: (/** @type {string} */ id) => this.getModuleInfo(id)?.importedIds ?? [] };
      const often = byCommands(graph);
      const small = tooSmall(often, (id) => this.getModuleInfo(id)?.code?.length ?? 0);
      names = new Map([
        ...[...often].map(([id, name]) => /** @type {const} */ ([id, name === ALL || small.has(name) ? "base" : name])),
        ...[...needed(BASE, graph)].map((id) => /** @type {const} */ ([id, "base"])),
        ...[...needed(START, graph)].map((id) => /** @type {const} */ ([id, "start"])),
      ]);
    },
  };
  return { plugin, nameOf: (id) => names.get(id) ?? null };
}

/** @typedef {{ readonly importsOf: (id: string) => readonly string[] }} Graph */

/**
 * The commands that need a module.
 * @param {Graph} graph
 * @returns {ReadonlyMap<string, string>}
 */
function byCommands(graph) {
  /** @type {Map<string, string>} */
  const names = new Map();
  for (const [command, roots] of Object.entries(OFTEN)) {
    for (const id of needed(roots, graph)) {
      const others = names.get(id);
      names.set(id, others === undefined ? command : `${others}-${command}`);
    }
  }
  return names;
}

/**
 * @param {ReadonlyMap<string, string>} names
 * @param {(id: string) => number} lengthOf
 * @returns {ReadonlySet<string>}
 */
function tooSmall(names, lengthOf) {
  /** @type {Map<string, number>} */
  const lengths = new Map();
  for (const [id, name] of names) lengths.set(name, (lengths.get(name) ?? 0) + lengthOf(id));
  return new Set([...lengths].flatMap(([name, length]) => (length < LEAST_CHUNK && !Object.hasOwn(OFTEN, name) ? [name] : [])));
}

/**
 * The given modules with all that they import, directly or through others, at once and not on demand.
 * @param {readonly string[]} roots
 * @param {Graph} graph
 * @returns {ReadonlySet<string>}
 */
function needed(roots, { importsOf }) {
  /** @type {Set<string>} */
  const found = new Set();
  const waiting = roots.map((root) => join(ROOT, root));
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...importsOf(id));
  }
  return found;
}
