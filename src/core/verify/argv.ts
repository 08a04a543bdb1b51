/**
 * Arguments that may be run and shown.
 *
 * A1  There is a program, it does not begin with `-`, and no argument is empty.
 * A2  No control characters and no halves of characters: what is shown is what runs.
 * A3  Bounded in number and length.
 */
import { isControl } from "../id.ts";

const MOST_ARGUMENTS = 200;
const MOST_CHARACTERS = 8192;

/** Completes "the command …"; null when nothing is wrong. */
export function argvFlaw(argv: readonly string[]): string | null {
  const [program] = argv;
  if (program === undefined) return "is empty";
  if (program.startsWith("-")) return `has a program that begins with a dash (\`${program.slice(0, 40)}\`)`;
  if (argv.includes("")) return "has an empty argument";
  if (argv.some(isUnprintable)) return "has a control character in an argument";
  if (argv.length > MOST_ARGUMENTS) return `has more than ${MOST_ARGUMENTS} arguments`;
  return argv.reduce((sum, each) => sum + each.length, 0) > MOST_CHARACTERS
    ? `is longer than ${MOST_CHARACTERS} characters`
    : null;
}

/** A2. */
export function isUnprintable(text: string): boolean {
  return [...text].some((character) => {
    const code = Number(character.codePointAt(0));
    return isControl(code) || (code >= 0xd800 && code <= 0xdfff);
  });
}
