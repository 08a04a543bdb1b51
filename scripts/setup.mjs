// What `npm start` and `npm test` need before they can run, done by themselves and only when something changed.
// Node built-ins only: this file runs in a fresh clone, before anything is installed.

import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** @param {string} version */
function requireNode(version) {
  const wanted = version.split(".").map(Number);
  const found = process.versions.node.split(".").map(Number);
  const difference = wanted.map((part, place) => (found[place] ?? 0) - part).find((each) => each !== 0) ?? 0;
  if (difference < 0) fail(`LoopX needs Node ${version} or newer; this is ${process.versions.node}. See https://nodejs.org`);
}

/** Installs the packages of `package-lock.json` unless `node_modules` already holds exactly these. */
export function ensureInstalled() {
  requireNode("20.19.0");
  const wanted = lockedPackages("package-lock.json");
  const found = lockedPackages("node_modules/.package-lock.json");
  if (wanted === null) fail("package-lock.json is missing or damaged: restore it from git.");
  if (found !== null && isInstalled(wanted, found)) return;
  console.error("Installing what package-lock.json lists …");
  npm(["ci", "--no-audit", "--no-fund"]);
}

/**
 * npm's own record of what it installed has the form of the lock file, without the root.
 * @param {string} path
 * @returns {Record<string, LockedPackage> | null}
 *
 * @typedef {{ readonly version?: string, readonly integrity?: string, readonly optional?: boolean }} LockedPackage
 */
function lockedPackages(path) {
  try {
    return JSON.parse(readFileSync(join(ROOT, path), "utf8")).packages ?? null;
  } catch {
    return null;
  }
}

/**
 * @param {Record<string, LockedPackage>} wanted
 * @param {Record<string, LockedPackage>} found
 */
function isInstalled(wanted, found) {
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const installed = found[path];
    if (installed === undefined) return entry.optional === true;
    return installed.version === entry.version && installed.integrity === entry.integrity;
  });
}

/**
 * Runs npm itself: the one that started this script, where npm did. What it says goes to stderr, or is returned.
 * @param {readonly string[]} args
 * @param {"pipe" | 2} output
 */
export function npm(args, output = 2) {
  const cli = process.env["npm_execpath"];
  /** @type {import("node:child_process").SpawnSyncOptionsWithStringEncoding} */
  const options = { cwd: ROOT, stdio: ["ignore", output, 2], encoding: "utf8", maxBuffer: 1 << 28 };
  const run = cli?.endsWith("npm-cli.js")
    ? spawnSync(process.execPath, [cli, ...args], options)
    : spawnSync("npm", args, { ...options, shell: process.platform === "win32" });
  if (run.status !== 0) fail(`npm ${args.join(" ")} did not finish: ${run.error?.message ?? `exit ${run.status ?? run.signal}`}`);
  return run.stdout;
}

/**
 * Runs a Node program in place of this process: same terminal, same signals, same end.
 * @param {readonly string[]} args
 */
export function become(args) {
  const child = spawn(process.execPath, args, { stdio: "inherit" });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    // A terminal sends Ctrl-C to the child itself: passing it on would press it twice.
    process.on(signal, () => (signal === "SIGINT" && process.stdin.isTTY) || child.kill(signal));
  }
  child.on("error", (error) => fail(error.message));
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  });
}

/**
 * @param {string} message
 * @returns {never}
 */
export function fail(message) {
  console.error(message);
  process.exit(1);
}
