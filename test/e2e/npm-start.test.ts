import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const REPOSITORY = join(import.meta.dirname, "../..");

// Stands in for npm: links the real packages and records what it was asked.
const NPM = `
const fs = require("node:fs");
fs.appendFileSync("npm-calls", process.argv.slice(2).join(" ") + "\\n");
fs.rmSync("node_modules", { recursive: true, force: true });
fs.mkdirSync("node_modules");
for (const name of ["rolldown", "@rolldown", "@oxc-project"]) fs.symlinkSync(${JSON.stringify(join(REPOSITORY, "node_modules"))} + "/" + name, "node_modules/" + name);
const { packages } = JSON.parse(fs.readFileSync("package-lock.json", "utf8"));
delete packages[""];
delete packages["node_modules/only-elsewhere"];
fs.writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages }));
`;

let root = "";

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

function lock(version: string): void {
  const packages = { "": {}, "node_modules/a": { version }, "node_modules/only-elsewhere": { version, optional: true } };
  write("package-lock.json", JSON.stringify({ packages }));
}

function start(...args: readonly string[]): SpawnSyncReturns<string> {
  const env = { ...process.env, npm_execpath: join(root, "npm/npm-cli.js") };
  return spawnSync(process.execPath, [join(root, "scripts/start.mjs"), ...args], { cwd: tmpdir(), encoding: "utf8", env });
}

function npmCalls(): readonly string[] {
  const file = join(root, "npm-calls");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "loopx-start-"));
  cpSync(join(REPOSITORY, "scripts"), join(root, "scripts"), { recursive: true });
  for (const file of ["package.json", "tsconfig.base.json", "tsconfig.build.json"])
    cpSync(join(REPOSITORY, file), join(root, file));
  lock("1.0.0");
  write("npm/npm-cli.js", NPM);
  write("npm/package.json", "{}");
  write("src/surfaces/cli/words.ts", "export const words: string = import.meta.dirname;\n");
  write("src/surfaces/http/main.ts", 'export const name: string = "the server";\n');
  write(
    "src/surfaces/cli/main.ts",
    `async function main(): Promise<void> {
      const { name } = await import("../http/main.ts");
      const { words } = await import("./words.ts");
      console.log(name, words);
    }
    void main();\n`,
  );
  write("src/surfaces/demo/main.ts", "console.log(JSON.stringify(process.argv.slice(2)));\nprocess.exitCode = 7;\n");
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

test("a fresh clone installs, builds and runs; arguments and exit status pass through", () => {
  const run = start("--once", "two words");
  expect(run).toMatchObject({ status: 7, stdout: '["--once","two words"]\n' });
  expect(npmCalls()).toEqual(["ci --no-audit --no-fund"]);
});

test("the programs are executable, and the server is a file of its own that is loaded on demand", () => {
  const program = join(root, "dist/loopx.cjs");
  expect(statSync(program).mode & 0o777).toBe(0o755);
  expect(readFileSync(program, "utf8")).not.toContain("the server");
  expect(spawnSync(program, { encoding: "utf8" }).stdout).toBe(`the server ${join(root, "dist/chunks")}\n`);
});

test("when nothing changed, nothing is installed or built", () => {
  const before = statSync(join(root, "dist/demo.cjs")).mtimeMs;
  const run = start();
  expect(run).toMatchObject({ status: 7, stderr: "" });
  expect(npmCalls()).toHaveLength(1);
  expect(statSync(join(root, "dist/demo.cjs")).mtimeMs).toBe(before);
});

test("a changed source is built again", () => {
  write("src/surfaces/demo/main.ts", 'console.log("changed");\n');
  expect(start()).toMatchObject({ status: 0, stdout: "changed\n" });
});

test("a lost program is built again", () => {
  rmSync(join(root, "dist/serve.cjs"));
  start();
  expect(existsSync(join(root, "dist/serve.cjs"))).toBe(true);
});

test("a changed lock file is installed again", () => {
  lock("1.0.1");
  start();
  expect(npmCalls()).toHaveLength(2);
});

test("a source that cannot be bundled ends the start with its name, and keeps the last programs", () => {
  write("src/surfaces/demo/main.ts", 'import "./nowhere.ts";\n');
  const run = start();
  expect(run.status).toBe(1);
  expect(run.stderr).toContain("src/surfaces/demo/main.ts");
  expect(existsSync(join(root, "dist/demo.cjs"))).toBe(true);
});
