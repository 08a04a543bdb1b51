// Goal `accounts`: the bank's export of a month, read, added up and reported. `node accounts.mjs STEP`
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const ROWS = 2000;
const PAYEES = ["Market", "Bakery", "Books, New and Old", "Railway", "Rent", "Energy, Gas and Water"];
const CATEGORIES = ["food", "food", "leisure", "travel", "home", "home"];

function fetchExport() {
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const kind = (index * 7) % PAYEES.length;
    const day = String((index % 30) + 1).padStart(2, "0");
    return `${index + 1},2026-06-${day},"${PAYEES[kind]}",${CATEGORIES[kind]},${((index * 7919) % 9000) + 100}`;
  });
  save("data/export.csv", `id,date,payee,category,cents\n${rows.join("\n")}\n`);
}

/** The first attempt divides at every comma. When its result is there and the todo is still open, it was refused: quotes are read now. */
function parse() {
  const divide = existsSync("data/transactions.json") ? (line) => line.match(/"[^"]*"|[^,]+/g) : (line) => line.split(",");
  const [, ...lines] = readFileSync("data/export.csv", "utf8").trim().split("\n");
  const transactions = lines.map((line) => {
    const [id, date, payee, category, cents] = divide(line);
    return { id: Number(id), date, payee: payee.replaceAll('"', ""), category, cents: Number(cents) };
  });
  save("data/transactions.json", JSON.stringify(transactions));
}

function totals() {
  const sums = {};
  for (const { category, cents } of JSON.parse(readFileSync("data/transactions.json", "utf8")))
    sums[category] = (sums[category] ?? 0) + cents;
  save("data/totals.json", JSON.stringify(sums));
}

function report() {
  const rows = Object.entries(JSON.parse(readFileSync("data/totals.json", "utf8"))).sort();
  const lines = rows.map(([category, cents]) => `| ${category} | ${(cents / 100).toFixed(2)} |`);
  save("reports/june.md", `# June\n\n| category | euros |\n| --- | --- |\n${lines.join("\n")}\n`);
}

function save(path, text) {
  mkdirSync(path.slice(0, path.indexOf("/")), { recursive: true });
  writeFileSync(path, text);
}

const STEPS = { fetch: fetchExport, parse, totals, report };
STEPS[process.argv[2]]();
