// The acceptance checks: `node check.mjs NAME` ends with 0 when what the todo asks for is there.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const read = (path) => readFileSync(path, "utf8");
const json = (path) => JSON.parse(read(path));
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const pages = () => readdirSync("pages").map((file) => file.replace(".md", ""));
const sha256 = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");
const centsOfExport = () => [...read("data/export.csv").matchAll(/,(\d+)$/gm)].map(([, cents]) => Number(cents));

const CHECKS = {
  fetch: () => assert.equal(centsOfExport().length, 2000),
  parse: () => assert.equal(sum(json("data/transactions.json").map(({ cents }) => cents)), sum(centsOfExport())),
  totals: () => assert.equal(sum(Object.values(json("data/totals.json"))), sum(centsOfExport())),
  report: () => {
    const cents = [...read("reports/june.md").matchAll(/(\d+)\.(\d\d) \|$/gm)].map(([, whole, part]) => Number(whole + part));
    assert.equal(sum(cents), sum(centsOfExport()));
  },
  render: () => {
    for (const name of pages()) assert.match(read(`site/${name}.html`), /<h1>.+<\/h1>/);
  },
  links: () => assert.ok(json("site/links.json").length > 0 && json("site/links.json").every(({ ok }) => ok)),
  search: () => assert.deepEqual(json("site/search.json").install, ["index", "start"]),
  map: () => {
    for (const name of pages()) assert.ok(read("site/sitemap.xml").includes(`/${name}.html<`));
  },
  test: () => assert.match(read("results/tests.tap"), /^# pass 3\n# fail 0$/m),
  pack: () => {
    const packed = JSON.parse(gunzipSync(readFileSync("release/app-1.0.json.gz")));
    for (const name of readdirSync("app")) assert.equal(packed[name], read(`app/${name}`));
  },
  sum: () => assert.ok(read("release/SHA256SUMS").startsWith(sha256("release/app-1.0.json.gz"))),
  publish: () => assert.ok(read("public/SHA256SUMS").startsWith(sha256("public/app-1.0.json.gz"))),
  announce: () => assert.ok(read("public/ANNOUNCEMENT.md").includes(sha256("public/app-1.0.json.gz"))),
};
CHECKS[process.argv[2]]();
