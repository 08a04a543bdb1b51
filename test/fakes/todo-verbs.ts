/** What tests about todos ask of a world through the command line. */
import { expect } from "vitest";
import type { Json } from "./asks.ts";
import { type Answered, loopx } from "./cli.ts";
import { registryText, type World, write } from "./workspace.ts";

export const G = ["--goal-id", "alpha"];

export interface Verbs {
  run(...argv: readonly string[]): Promise<Answered>;
  /** Adds a todo; answers its id. */
  add(text: string, ...more: readonly string[]): Promise<string>;
  todo(id: string): Promise<Json>;
  /** The todo's lines in the state file. */
  line(id: string): string;
  /** Says more in the goal's registry entry. */
  register(more: Json): void;
}

export function verbsOn(of: () => World): Verbs {
  const run = async (...argv: readonly string[]): Promise<Answered> => await loopx(of(), ...argv);
  return {
    run,
    add: async (text, ...more) => {
      const { exit, answer } = await run("todo", "add", ...G, "--text", text, ...more);
      expect([exit, answer.added]).toEqual([0, true]);
      return answer.todo_id;
    },
    todo: async (id) => (await run("todo", "show", id)).answer.todo,
    line: (id) => {
      const lines = of().text().split(/\r?\n/);
      const at = lines.findIndex((each) => each.includes(` todo_id=${id}`));
      return `${lines[at - 1]}\n${lines[at]}`;
    },
    register: (more) => {
      write(of().registryPath, registryText(["alpha"], more));
      of().advance(86_400_000);
    },
  };
}
