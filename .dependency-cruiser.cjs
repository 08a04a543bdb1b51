/**
 * Folders are layers, arrows point down. Each rule names the layer it guards and what that layer may not import.
 * The picture is in ARCHITECTURE.md; `scripts/check-layers.mjs` runs these rules and guards against seeing too little.
 */

// What only tests import: tests, and samples of what tests need.
const TESTS = "\\.(test|sample)\\.ts$";
const INSIDE = "^src/";
const OUTSIDE = ["core", "npm", "npm-optional", "npm-peer", "npm-dev", "npm-no-pkg", "npm-unknown"];

/** May import itself and what is listed under `src/`; everything else under `src/` is refused. */
function layer(name, path, allowed, reason) {
  const may = [path, ...allowed.map((each) => `^src/${each}`)];
  return { name, comment: reason, severity: "error", from: { path, pathNot: TESTS }, to: { path: INSIDE, pathNot: may } };
}

/** Neither Node's modules nor packages, but for those listed. */
function closed(name, path, allowed, reason) {
  const to = { dependencyTypes: OUTSIDE, ...(allowed.length > 0 && { pathNot: allowed }) };
  return { name, comment: reason, severity: "error", from: { path, pathNot: TESTS }, to };
}

const CORE = "core/";
const SCHEMA = "schema/";
const PORTS = "ports/";
const COMMANDS = "commands/";
const ERRORS = "errors\\.ts$";
const VERSION = "version\\.ts$";

module.exports = {
  forbidden: [
    layer("core-imports-core", "^src/core/", [], "The core decides; it never asks."),
    closed("core-is-pure", "^src/core/", [], "No I/O, clock, randomness or package in the core."),
    layer("schema-knows-core", "^src/schema/", [CORE], "A schema describes a boundary; it decides nothing."),
    closed(
      "schema-needs-zod-only",
      "^src/schema/",
      ["node_modules/(zod|@hono/zod-openapi)/"],
      "Schemas are zod and nothing else.",
    ),
    layer("ports-know-core-and-schema", "^src/ports/", [CORE, SCHEMA], "A port is an interface in the words of the core."),
    closed("ports-are-interfaces", "^src/ports/", [], "A port names no technology."),
    {
      name: "ports-import-types",
      comment: "A port is types only: nothing of it exists at run time.",
      severity: "error",
      from: { path: "^src/ports/", pathNot: TESTS },
      to: { dependencyTypesNot: ["type-only"] },
    },
    layer(
      "commands-use-ports",
      "^src/commands/",
      [CORE, SCHEMA, PORTS, ERRORS],
      "A use case meets the world through ports; compose.ts picks who answers.",
    ),
    closed(
      "commands-name-no-technology",
      "^src/commands/",
      ["^(node:)?path(/posix)?$"],
      "Files, processes and clocks are ports.",
    ),
    layer("adapters-serve-ports", "^src/adapters/", [CORE, SCHEMA, PORTS, ERRORS, "adapters/"], "An adapter decides nothing."),
    {
      name: "adapters-are-strangers",
      comment: "One folder per technology, none knows another.",
      severity: "error",
      from: { path: "^src/adapters/([^/]+)/", pathNot: TESTS },
      to: { path: "^src/adapters/", pathNot: "^src/adapters/$1/" },
    },
    layer(
      "surfaces-call-commands",
      "^src/surfaces/",
      [CORE, SCHEMA, PORTS, COMMANDS, ERRORS, VERSION, "surfaces/", "compose(-(library|checks|team|sim))?\\.ts$"],
      "A surface words what commands answer.",
    ),
    {
      name: "surfaces-are-strangers",
      comment: "Surfaces share commands, not each other. The command line starts the server on demand, through its main file.",
      severity: "error",
      from: { path: "^src/surfaces/([^/]+)/", pathNot: TESTS },
      to: { path: "^src/surfaces/", pathNot: ["^src/surfaces/$1/", "^src/surfaces/http/main\\.ts$"] },
    },
    {
      name: "server-starts-on-demand",
      comment: "A static import would put the server's code on the path of every command.",
      severity: "error",
      from: { path: "^src/surfaces/(?!http/)", pathNot: TESTS },
      to: { path: "^src/surfaces/http/", dependencyTypesNot: ["dynamic-import", "type-only"] },
    },
    {
      name: "main-files-compose",
      comment: "Only a surface's main or start file and the library's index take what compose.ts put together.",
      severity: "error",
      from: {
        path: INSIDE,
        pathNot: [TESTS, "^src/surfaces/[^/]+/(main|start)\\.ts$", "^src/index\\.ts$", "^src/compose\\.ts$"],
      },
      to: { path: "^src/compose(-(library|checks|team|sim))?\\.ts$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "compose-picks-adapters",
      comment: "The only place that picks implementations.",
      severity: "error",
      from: { path: INSIDE, pathNot: [TESTS, "^src/compose(-(library|checks|agents|team|sim))?\\.ts$", "^src/adapters/"] },
      to: { path: "^src/adapters/" },
    },
    layer(
      "compose-knows-no-surface",
      "^src/compose\\.ts$",
      [CORE, SCHEMA, PORTS, COMMANDS, "adapters/", "compose-(checks|agents|team|sim)\\.ts$", ERRORS, VERSION],
      "Surfaces ask it.",
    ),
    layer("errors-know-core", "^src/errors\\.ts$", [CORE], "One table, below everything that throws."),
    layer("version-is-alone", "^src/version\\.ts$", [], "One text."),
    {
      name: "nobody-imports-index",
      comment: "src/index.ts is for people who install the package.",
      severity: "error",
      from: { path: INSIDE, pathNot: TESTS },
      to: { path: "^src/index\\.ts$" },
    },
    {
      name: "no-tests-in-the-product",
      comment: "What ships imports neither tests nor scripts.",
      severity: "error",
      from: { path: INSIDE, pathNot: TESTS },
      to: { path: [TESTS, "^(test|scripts|bench)/"] },
    },
    {
      name: "no-development-packages",
      comment: "What ships needs only `dependencies`.",
      severity: "error",
      from: { path: INSIDE, pathNot: TESTS },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    { name: "no-cycles", comment: "A cycle has no first file to read.", severity: "error", from: {}, to: { circular: true } },
    { name: "resolvable", comment: "Every import leads somewhere.", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "default"] },
  },
};
