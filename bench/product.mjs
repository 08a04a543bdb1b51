// The product's modules as one file that Node runs.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { ROOT } from "./ground.mjs";

/** @type {Promise<string> | null} */
let built = null;

/** Path of the bundle, made once a run; inside the repository's build folder, because packages are looked up from there. */
export function productPath() {
  built ??= bundle();
  return built;
}

async function bundle() {
  const file = join(ROOT, `.loopx-build/bench/product-${process.pid}.mjs`);
  process.once("exit", () => rmSync(file, { force: true }));
  const bundled = await rolldown({
    cwd: ROOT,
    input: join(ROOT, "bench/library.mjs"),
    platform: "node",
    external: ["@photostructure/sqlite"],
    transform: { target: "node20.19" },
    onLog: () => {},
  });
  await bundled.write({ file, format: "esm", codeSplitting: false });
  await bundled.close();
  return file;
}

/** @returns {Promise<typeof import("./library.mjs")>} */
export async function product() {
  return await import(await productPath());
}
