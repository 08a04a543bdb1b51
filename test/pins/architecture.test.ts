// What the guides say of the code is so. After a change of invariants: npx vitest run test/pins/architecture -u
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const GUIDES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/glossary.md", "docs/getting-started.md"];
/** In code, or as the target of a link. */
const PATH = /`((?:src|test|docs|scripts|bench)\/[\w./-]*[\w-])\/?`|\]\((?!https?:|#)([^)#\s]+)/g;

function text(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

function pathsIn(file: string): readonly string[] {
  return [...text(file).matchAll(PATH)].map(([, inCode, target = ""]) => inCode ?? join(dirname(file), target));
}

test.each(GUIDES)("every path that %s names exists", (file) => {
  const paths = pathsIn(file);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test("the way of one command names enough of it", () => {
  const files = pathsIn("ARCHITECTURE.md").filter((path) => path.endsWith(".ts"));
  expect(new Set(files).size).toBeGreaterThan(40);
});

test("no guide names a place of the machine it was written on", () => {
  for (const file of [...GUIDES, "docs/invariants.md"]) expect(text(file)).not.toMatch(/\/(?:work|root|home\/(?!me\b))\//);
});

const HEADER = /^\/\*\*[\s\S]*?\*\//gm;
const NUMBERED = /^ \* ([A-Z]\d+) {2}(.*(?:\n \* {2,}(?![A-Z]\d+ {2})\S.*)*)/gm;

interface Ruled {
  readonly file: string;
  readonly rules: readonly { readonly number: string; readonly rule: string }[];
}

function ruledFiles(): readonly Ruled[] {
  return readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.test|\.sample)\.ts$/.test(file))
    .map((file) => `src/${file}`)
    .sort()
    .map((file) => ({ file, rules: (text(file).match(HEADER) ?? []).flatMap(rulesIn) }))
    .filter(({ rules }) => rules.length > 0);
}

function rulesIn(header: string): Ruled["rules"] {
  return [...header.matchAll(NUMBERED)].map(([, number = "", rule = ""]) => ({ number, rule: rule.replace(/\n \* +/g, " ") }));
}

function index(): string {
  const parts = ruledFiles().map(({ file, rules }) => {
    const lines = rules.map(({ number, rule }) => `- **${number}** ${rule}`);
    return `## \`${file}\`\n\n${lines.join("\n")}\n`;
  });
  return `# Invariants\n\nMade from the headers of the files; a test compares.\n\n${parts.join("\n")}`;
}

test("docs/invariants.md lists every invariant of every file, and no other", async () => {
  expect(ruledFiles().length).toBeGreaterThan(100);
  await expect(index()).toMatchFileSnapshot("../../docs/invariants.md");
});
