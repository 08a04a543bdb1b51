/** Words to a command of the table. */
import type { CommandSpec } from "./command.ts";

/** The command whose path, or an alias of it, is the longest beginning of the words. */
export function findCommand(words: readonly string[], commands: readonly CommandSpec[]): CommandSpec | null {
  let found: CommandSpec | null = null;
  let length = 0;
  for (const spec of commands) {
    for (const path of pathsOf(spec)) {
      if (path.length <= length || !begins(words, path)) continue;
      found = spec;
      length = path.length;
    }
  }
  return found;
}

/** The longest beginning of the words that is only the first part of a command: `goal`. */
export function groupOf(words: readonly string[], commands: readonly CommandSpec[]): readonly string[] {
  const paths = commands.flatMap(pathsOf);
  let length = 0;
  while (length < words.length && paths.some((path) => path.length > length + 1 && begins(path, words.slice(0, length + 1))))
    length += 1;
  return words.slice(0, length);
}

export function pathsOf(spec: CommandSpec): readonly (readonly string[])[] {
  return [spec.path, ...(spec.aliases ?? [])];
}

function begins(words: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((part, place) => words[place] === part);
}
