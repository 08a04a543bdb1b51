/**
 * Which files of a working folder a check declares as its inputs.
 *
 * I1  An input is relative, its parts are divided by `/`, and it leads nowhere outside: no `..`, no leading `/`.
 * I2  `*` and `?` stand for characters of one part, `**` as a whole part for any number of parts; all else is literal.
 * I3  An input that names a folder means everything below it.
 * I4  The time is bounded by the lengths of pattern and path: no pattern backtracks.
 */
import { isControl } from "../id.ts";

/** Parts of an input; empty for the folder itself. */
export type InputPattern = readonly string[];

export type ParsedInput =
  | { readonly kind: "input"; readonly pattern: InputPattern }
  /** `saying` completes "input …". */
  | { readonly kind: "flawed"; readonly saying: string };

const MAX_LENGTH = 1024;

export function parseInput(text: string): ParsedInput {
  if (text.trim() === "") return flawed("is empty");
  if (text.length > MAX_LENGTH) return flawed(`is longer than ${MAX_LENGTH} characters`);
  if ([...text].some((character) => isControl(Number(character.codePointAt(0))))) return flawed("has a control character");
  if (text.startsWith("/")) return flawed("is absolute: name it from the working folder");
  const parts = text.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) return flawed("leads outside of the working folder by `..`"); // (I1)
  return { kind: "input", pattern: parts };
}

function flawed(saying: string): ParsedInput {
  return { kind: "flawed", saying };
}

/** `matched`: the input means this path. `open`: it may mean something below it. */
export type Following = "matched" | "open" | "dead";

/** I3, I4: all places in the pattern that the parts read so far can stand at, one part after the other. */
export function followInput(pattern: InputPattern, path: string): Following {
  let places = reachable(pattern, [0]);
  for (const part of path.split("/")) {
    if (places.has(pattern.length)) return "matched";
    places = reachable(
      pattern,
      [...places].flatMap((place) => after(pattern, place, part)),
    );
  }
  if (places.has(pattern.length)) return "matched";
  return places.size > 0 ? "open" : "dead";
}

function after(pattern: InputPattern, place: number, part: string): readonly number[] {
  const expected = String(pattern[place]);
  if (expected === "**") return [place];
  return matchesPart(expected, part) ? [place + 1] : [];
}

/** `**` may also stand for nothing. */
function reachable(pattern: InputPattern, places: readonly number[]): ReadonlySet<number> {
  const all = new Set<number>();
  for (const first of places) {
    let place = first;
    all.add(place);
    for (; pattern[place] === "**"; place += 1) all.add(place + 1);
  }
  return all;
}

/** I2, I4: after a mismatch only the last `*` takes one character more. */
function matchesPart(expected: string, part: string): boolean {
  let [at, star, taken] = [0, -1, 0];
  for (let read = 0; read < part.length; ) {
    if (expected[at] === "*") {
      [star, taken] = [at, read];
      at += 1;
    } else if (at < expected.length && (expected[at] === "?" || expected[at] === part[read])) {
      at += 1;
      read += 1;
    } else if (star === -1) {
      return false;
    } else {
      taken += 1;
      [at, read] = [star + 1, taken];
    }
  }
  while (expected[at] === "*") at += 1;
  return at === expected.length;
}
