// A bench's answer as Markdown, and its place in README.md.

import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";

/**
 * `ok` is null where the machine was too busy to judge, absent where there is no target.
 * @typedef {{ readonly what: string, readonly value: string, readonly target?: string, readonly ok?: boolean | null }} Row
 * @typedef {{ readonly title: string, readonly how: string, readonly rows: readonly Row[], readonly notes?: readonly string[] }} Report
 */

const README = new URL("README.md", import.meta.url);

/**
 * @param {string} what
 * @param {string} value
 * @param {{ readonly target: string, readonly ok: boolean | null }} [judged]
 * @returns {Row}
 */
export function row(what, value, judged) {
  return { what, value, ...judged };
}

/**
 * @param {string} what
 * @param {number} found
 * @param {{ readonly most: number, readonly as: (value: number) => string, readonly shown?: string }} judged
 */
export function atMost(what, found, { most, as, shown }) {
  return row(what, shown ?? as(found), { target: `≤ ${as(most)}`, ok: found <= most });
}

/**
 * @param {string} what
 * @param {number} found
 * @param {{ readonly least: number, readonly as: (value: number) => string, readonly shown?: string }} judged
 */
export function atLeast(what, found, { least, as, shown }) {
  return row(what, shown ?? as(found), { target: `≥ ${as(least)}`, ok: found >= least });
}

/**
 * @param {Report} report
 * @param {{ readonly command: string, readonly before: number }} run `before`: the machine's load when it began
 */
export function markdown(report, { command, before }) {
  const verdict = (/** @type {Row} */ { ok }) => {
    if (ok === true) return "met";
    if (ok === false) return "**missed**";
    return ok === null ? "the machine was too busy" : "";
  };
  const lines = report.rows.map((each) => `| ${each.what} | ${each.value} | ${each.target ?? ""} | ${verdict(each)} |`);
  const after = load();
  const isBusy = before > cpus().length;
  const busy = isBusy ? ["The machine was busy with other work: what is measured by the clock shows that as well."] : [];
  const notes = [...busy, ...(report.notes ?? [])].map((note) => `- ${note}`);
  return [
    `### ${report.title}`,
    "",
    `\`${command}\`, ${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC, ${machine()}, load ${before.toFixed(1)} to ${after.toFixed(1)}.`,
    report.how,
    "",
    "| what | measured | target | verdict |",
    "| --- | --- | --- | --- |",
    ...lines,
    ...(notes.length === 0 ? [] : ["", ...notes]),
    "",
  ].join("\n");
}

export function machine() {
  const [cpu] = cpus();
  return `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpu?.model.trim() ?? "?"}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
}

/** @returns {number} */
export function load() {
  return loadavg()[0] ?? 0;
}

/**
 * Puts a bench's table between its markers.
 * @param {string} name
 * @param {string} text
 */
export function writeIntoReadme(name, text) {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const page = readFileSync(README, "utf8");
  const [from, to] = [page.indexOf(open), page.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`bench/README.md has no place for ${name}: ${open} … ${close}`);
  writeFileSync(README, `${page.slice(0, from + open.length)}\n${text}\n${page.slice(to)}`);
}
