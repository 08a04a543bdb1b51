/**
 * A plain command line as the arguments that a POSIX shell would make of it, without a shell.
 *
 * Does not own: what makes arguments fit to run (`argv.ts`).
 *
 * W1  Quotes and backslashes mean what they mean to a POSIX shell.
 * W2  What only a shell could do is refused and named: operators, pipes, redirections, expansions, patterns, assignments, its own words.
 *     Nothing is taken literally that a shell would not.
 */

export type CommandWords =
  | { readonly kind: "words"; readonly words: readonly string[] }
  /** `saying` completes "the command …". */
  | { readonly kind: "flawed"; readonly saying: string };

const PIECE = /( +)|'([^']*)'|"((?:[^"\\$`]|\\.)*)"|\\(.)|([^ '"\\|&;<>()$`*?[{}]+)/guy;

const SHELL_ONLY: readonly (readonly [characters: string, saying: string])[] = [
  ["|", "has a pipe or an operator (`|`)"],
  ["&;", "has an operator of the shell (`&`, `;`)"],
  ["<>", "has a redirection (`<`, `>`)"],
  ["()", "has a group of the shell (parentheses)"],
  ["$`", "has an expansion (`$` or a backquote)"],
  ["*?[", "has a pattern for file names (`*`, `?`, `[`)"],
  ["{}", "has braces, which some shells expand"],
];
const AT_WORD_START: readonly (readonly [characters: string, saying: string])[] = [
  ["~", "has a `~`, which a shell expands"],
  ["#", "has a comment (`#`)"],
];
const SHELL_WORDS: ReadonlySet<string> = new Set(
  "! . : alias bg break case cd continue do done elif else esac eval exec exit export fg fi for function if in jobs read readonly return set shift source then time times trap ulimit umask unalias unset until wait while".split(
    " ",
  ),
);
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;
const MAX_LENGTH = 32_768;
const INSTEAD = "put it into a script, or quote it if it is meant as it stands";

export function splitCommand(text: string): CommandWords {
  if (text.length > MAX_LENGTH) return flawed(`is longer than ${MAX_LENGTH} characters`);
  const pieces = [...text.matchAll(PIECE)].map(toPiece);
  const end = pieces.reduce((sum, { length }) => sum + length, 0);
  if (end < text.length) return flawed(flawAt(text, end));
  const words: string[] = [];
  let isOpen = false;
  for (const { meaning, start } of pieces) {
    const saying = isOpen ? null : saidOf(AT_WORD_START, start);
    if (saying !== null) return flawed(`${saying}: ${INSTEAD}`);
    if (meaning !== null) words.push(isOpen ? String(words.pop()) + meaning : meaning);
    isOpen = meaning !== null;
  }
  return judged(words);
}

interface Piece {
  readonly length: number;
  /** Null: white space, the end of a word. */
  readonly meaning: string | null;
  /** The first character that stands there without quotes, else empty. */
  readonly start: string;
}

/** W1. Between double quotes a backslash only takes the meaning of what has one there. */
function toPiece([whole, space, single, double, escaped, plain]: RegExpMatchArray): Piece {
  const meaning = single ?? escaped ?? plain ?? String(double).replace(/\\(["\\$`])/g, "$1");
  return { length: whole.length, meaning: space === undefined ? meaning : null, start: plain?.charAt(0) ?? "" };
}

/** W2. */
function judged(words: readonly string[]): CommandWords {
  const [program] = words;
  if (program === undefined) return flawed("is empty");
  if (ASSIGNMENT.test(program)) return flawed(`sets a variable before the program: ${INSTEAD}`);
  if (SHELL_WORDS.has(program)) return flawed(`begins with \`${program}\`, which is a word of the shell and no program`);
  return { kind: "words", words };
}

function flawed(saying: string): CommandWords {
  return { kind: "flawed", saying };
}

function flawAt(text: string, at: number): string {
  const character = text.charAt(at);
  if (character === "\\") return "ends in a backslash";
  if (character === "'") return "has a single quote that is not closed";
  if (character === '"') {
    return /^"(?:[^"\\]|\\.)*"/u.test(text.slice(at))
      ? "has an expansion (`$` or a backquote) between double quotes: use single quotes"
      : "has a double quote that is not closed";
  }
  return `${saidOf(SHELL_ONLY, character)}: ${INSTEAD}`;
}

function saidOf(sayings: typeof SHELL_ONLY, character: string): string | null {
  return character === "" ? null : (sayings.find(([characters]) => characters.includes(character))?.[1] ?? null);
}
