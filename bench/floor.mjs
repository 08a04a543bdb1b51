// What a command cannot go below: bare Node with the engine and one row of the store, and then with the command's code loaded too.

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { NODE, PROGRAM, runOnce } from "./ground.mjs";

/** @import { AdoptedTree } from "./ground.mjs" */

const SCRIPT = fileURLToPath(new URL("floor.cjs", import.meta.url));

/** @param {AdoptedTree} tree */
export function storeFloor(tree) {
  return [NODE, SCRIPT, addon(), join(tree.runtime, "loopx.db")];
}

/**
 * @param {AdoptedTree} tree
 * @param {readonly string[]} args of the command whose code is loaded
 */
export function codeFloor(tree, args) {
  const { stderr } = runOnce([NODE, "--require", SCRIPT, PROGRAM, ...args], { cwd: tree.project, home: tree.home });
  /** @type {readonly string[]} */
  const files = JSON.parse(stderr.slice(stderr.lastIndexOf("\n")));
  return [...storeFloor(tree), ...files];
}

function addon() {
  const folder = dirname(createRequire(PROGRAM).resolve("@photostructure/sqlite/package.json"));
  const place = join(folder, "prebuilds", `${process.platform}-${process.arch}`);
  const files = ["glibc", "musl"].map((libc) => join(place, `@photostructure+sqlite.${libc}.node`));
  return files.find((file) => existsSync(file)) ?? "";
}
