/**
 * Commands to paste, made of arguments that may hold anything.
 *
 * Does not own: running them; nothing in LoopX hands such a line to a shell.
 *
 * L1  Pasted into a POSIX shell, the line gives back exactly the arguments: what is not plainly harmless stands between single quotes.
 */

const PLAIN = /^[A-Za-z0-9_./:@%+,=-]+$/;

/** `loopx` followed by the arguments. */
export function loopxCommand(...args: readonly string[]): string {
  return shellCommand("loopx", ...args);
}

/** Of any program. */
export function shellCommand(...argv: readonly string[]): string {
  return argv.map(quoted).join(" ");
}

/** L1. A run of single quotes goes between double ones. */
function quoted(argument: string): string {
  return PLAIN.test(argument) ? argument : `'${argument.replace(/'+/g, `'"$&"'`)}'`;
}
