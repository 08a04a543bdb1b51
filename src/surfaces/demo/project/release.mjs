// Goal `release`: test, pack, sum, publish and announce version 1.0. `node release.mjs STEP`
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

function test() {
  mkdirSync("results", { recursive: true });
  const { stdout } = spawnSync(process.execPath, ["--test", "--test-reporter=tap", "app/price.checks.mjs"], { encoding: "utf8" });
  writeFileSync("results/tests.tap", stdout);
}

function pack() {
  const files = readdirSync("app").map((name) => [name, readFileSync(`app/${name}`, "utf8")]);
  mkdirSync("release", { recursive: true });
  writeFileSync("release/app-1.0.json.gz", gzipSync(JSON.stringify(Object.fromEntries(files))));
}

function sum() {
  writeFileSync("release/SHA256SUMS", `${sha256("release/app-1.0.json.gz")}  app-1.0.json.gz\n`);
}

function publish() {
  mkdirSync("public", { recursive: true });
  for (const name of ["app-1.0.json.gz", "SHA256SUMS"]) copyFileSync(`release/${name}`, `public/${name}`);
}

function announce() {
  writeFileSync("public/ANNOUNCEMENT.md", `# Version 1.0 is out\n\nSHA-256: ${sha256("public/app-1.0.json.gz")}\n`);
}

/** What the monitor looks at. */
function size() {
  mkdirSync("results", { recursive: true });
  const bytes = readdirSync("app").reduce((total, name) => total + statSync(`app/${name}`).size, 0);
  writeFileSync("results/size.json", JSON.stringify({ bytes }));
}

function sha256(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

const STEPS = { test, pack, sum, publish, announce, size };
STEPS[process.argv[2]]();
