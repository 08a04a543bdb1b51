// Goal `site`: Markdown pages to a site with links that lead somewhere, a search and a map. `node site.mjs STEP`
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";

const names = () => readdirSync("pages").map((file) => file.replace(".md", ""));
const page = (name) => readFileSync(`pages/${name}.md`, "utf8");

function render() {
  mkdirSync("site", { recursive: true });
  for (const name of names()) {
    const body = page(name)
      .replace(/^# (.*)$/m, "<h1>$1</h1>")
      .replace(/\[([^\]]+)\]\(([^)]+)\.md\)/g, '<a href="$2.html">$1</a>');
    writeFileSync(`site/${name}.html`, `<!doctype html>\n${body}`);
  }
}

function links() {
  const found = names().flatMap((name) =>
    [...readFileSync(`site/${name}.html`, "utf8").matchAll(/href="([^"]+)"/g)].map(([, to]) => ({ from: name, to })),
  );
  writeFileSync("site/links.json", JSON.stringify(found.map((link) => ({ ...link, ok: existsSync(`site/${link.to}`) }))));
}

function search() {
  const index = {};
  for (const name of names())
    for (const word of new Set(
      page(name)
        .toLowerCase()
        .match(/[a-z]{3,}/g),
    ))
      index[word] = [...(index[word] ?? []), name];
  writeFileSync("site/search.json", JSON.stringify(index));
}

function map() {
  const entries = names().map((name) => `<url><loc>https://example.org/${name}.html</loc></url>`);
  writeFileSync("site/sitemap.xml", `<urlset>${entries.join("")}</urlset>\n`);
}

const STEPS = { render, links, search, map };
STEPS[process.argv[2]]();
