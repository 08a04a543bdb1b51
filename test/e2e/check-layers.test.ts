import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const SCRIPT = join(import.meta.dirname, "../../scripts/check-layers.mjs");

let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "loopx-layers-"));
  write("tsconfig.json", '{ "compilerOptions": { "module": "NodeNext", "allowImportingTsExtensions": true, "noEmit": true } }');
  write("package.json", '{ "type": "module", "devDependencies": { "tool": "1.0.0" } }');
  write("node_modules/tool/package.json", '{ "name": "tool", "version": "1.0.0", "main": "index.js" }');
  write("node_modules/tool/index.js", "");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

function checkLayers(): { readonly status: number | null; readonly broken: readonly string[]; readonly words: string } {
  const run = spawnSync(process.execPath, [SCRIPT, root], { encoding: "utf8" });
  const broken = [...run.stderr.matchAll(/^([a-z-]+): /gm)].map((match) => match[1] ?? "");
  return { status: run.status, broken: [...new Set(broken)].sort(), words: run.stderr };
}

const VALUE = "export const value: number = 1;\n";

test("a tree whose arrows point down passes", () => {
  write("src/core/goal.ts", VALUE);
  write("src/ports/store.ts", 'import type { value } from "../core/goal.ts";\nexport type Store = typeof value;\n');
  write(
    "src/commands/status.ts",
    'import type { Store } from "../ports/store.ts";\nexport const status = (store: Store): Store => store;\n',
  );
  write(
    "src/adapters/memory/store.ts",
    `import type { Store } from "../../ports/store.ts";\nimport "node:fs";\nexport const store: Store = 1;\n`,
  );
  write(
    "src/compose.ts",
    'import { store } from "./adapters/memory/store.ts";\nimport { status } from "./commands/status.ts";\nstatus(store);\n',
  );
  write("src/surfaces/http/main.ts", 'import "../../compose.ts";\n');
  write("src/surfaces/cli/main.ts", 'import "../../compose.ts";\nvoid import("../http/main.ts");\n');
  const answer = checkLayers();
  expect(answer.broken).toEqual([]);
  expect(answer.status).toBe(0);
});

const WRONG: readonly (readonly [rule: string, file: string, text: string])[] = [
  ["core-imports-core", "src/core/a1.ts", 'import "../errors.ts";'],
  ["core-is-pure", "src/core/a2.ts", 'import "node:fs/promises";'],
  ["schema-knows-core", "src/schema/a3.ts", 'import "../ports/port.ts";'],
  ["schema-needs-zod-only", "src/schema/a4.ts", 'import "node:fs";'],
  [
    "ports-know-core-and-schema",
    "src/ports/a5.ts",
    'import type { value } from "../commands/command.ts";\nexport type A = typeof value;',
  ],
  ["ports-are-interfaces", "src/ports/a6.ts", 'import type { Stats } from "node:fs";\nexport type A = Stats;'],
  ["ports-import-types", "src/ports/a7.ts", 'import { value } from "../core/core.ts";\nexport const a = value;'],
  ["commands-use-ports", "src/commands/a8.ts", 'import "../surfaces/cli/words.ts";'],
  ["commands-name-no-technology", "src/commands/a9.ts", 'import "node:fs";'],
  ["adapters-serve-ports", "src/adapters/memory/a10.ts", 'import "../../commands/command.ts";'],
  ["adapters-are-strangers", "src/adapters/memory/a11.ts", 'import "../files/file.ts";'],
  ["surfaces-call-commands", "src/surfaces/cli/a12.ts", 'import "../../adapters/files/file.ts";'],
  ["surfaces-are-strangers", "src/surfaces/http/a13.ts", 'import "../cli/words.ts";'],
  ["server-starts-on-demand", "src/surfaces/cli/a14.ts", 'import "../http/main.ts";'],
  ["main-files-compose", "src/surfaces/cli/a15.ts", 'import "../../compose.ts";'],
  ["compose-picks-adapters", "src/surfaces/cli/main.ts", 'import "../../adapters/files/file.ts";'],
  ["compose-knows-no-surface", "src/compose.ts", 'import "./surfaces/cli/words.ts";'],
  ["errors-know-core", "src/errors.ts", 'import "./ports/port.ts";'],
  ["version-is-alone", "src/version.ts", 'import "./core/core.ts";'],
  ["nobody-imports-index", "src/surfaces/cli/a16.ts", 'import "../../index.ts";'],
  ["no-tests-in-the-product", "src/commands/a17.ts", 'import "./command.test.ts";'],
  ["no-development-packages", "src/adapters/files/a18.ts", 'import "tool";'],
  ["no-cycles", "src/core/b.ts", 'import "./cycle.ts";'],
  ["resolvable", "src/core/a20.ts", 'import "./nowhere.ts";'],
];

test("each rule refuses what it should", () => {
  const others = ["core/core", "ports/port", "commands/command", "commands/command.test", "adapters/files/file"];
  for (const other of [...others, "surfaces/cli/words", "surfaces/http/main", "errors", "index"]) write(`src/${other}.ts`, VALUE);
  write("src/core/cycle.ts", 'import "./b.ts";');
  for (const [, file, text] of WRONG) write(file, text);
  const answer = checkLayers();
  for (const [rule, file] of WRONG) expect(answer.words).toContain(`${rule}: ${file} → `);
  expect(answer.status).toBe(1);
});

test("a file that imports too much is named", () => {
  const names = Array.from({ length: 13 }, (_, index) => `part-${index}`);
  for (const name of names) write(`src/core/${name}.ts`, VALUE);
  const imports = names.map((name) => `import "./${name}.ts";\n`).join("");
  write("src/core/rules.ts", imports);
  expect(checkLayers().status).toBe(0);
  write("src/core/goal.ts", imports);
  expect(checkLayers()).toMatchObject({ status: 1, broken: ["too-many-imports"] });
});

test("a check that sees too little fails", () => {
  write("src/core/goal.ts", VALUE);
  write("src/hidden/node_modules/unseen.ts", VALUE);
  expect(checkLayers().words).toContain("Only 1 of 2 modules");
});
