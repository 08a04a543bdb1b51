// Other processes that a bench needs at the same time: they print one JSON value when they end.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { environment, NODE } from "./ground.mjs";

/**
 * @param {string} script name of a file beside this one
 * @param {object} request its only argument, as JSON
 * @param {{ readonly cwd: string, readonly home: string, readonly under?: readonly string[], readonly flags?: readonly string[] }} options `under`: the command line that runs it; `flags`: of Node
 */
export function startChild(script, request, { cwd, home, under = [], flags = [] }) {
  const argv = [...under, NODE, ...flags, fileURLToPath(new URL(script, import.meta.url)), JSON.stringify(request)];
  const [program = "", ...args] = argv;
  const child = spawn(program, args, { cwd, env: environment(home), stdio: ["pipe", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part) => {
    text += part;
  });
  const ended = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`${script} ended with ${code}: ${text}`)),
    );
  });
  ended.catch(() => {});
  return {
    /** @type {Promise<any>} */
    ended,
    /** Ends what waits for the end of its input. */
    finish: () => child.stdin.end(),
    /** @param {string} word */
    until: async (word) => {
      while (!text.includes(word)) await Promise.race([ended, new Promise((resolve) => child.stdout.once("data", resolve))]);
      text = text.replace(word, "");
    },
    kill: () => child.kill("SIGKILL"),
  };
}
