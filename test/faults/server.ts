/** The built server in a project, and requests to it. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Json, Project } from "./program.ts";

export interface Server {
  post(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  get(path: string): Promise<Answer>;
  stop(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

export async function serve(of: Project): Promise<Server> {
  const [program = "", ...args] = of.argv("serve", "--port", "0");
  const child = spawn(program, args, { cwd: of.folder, stdio: ["ignore", "pipe", "inherit"] });
  const { url, token_file } = await begun(child);
  const token = readFileSync(token_file, "utf8").trim();
  const json = { "content-type": "application/json", authorization: `Bearer ${token}` };
  return {
    post: async (path, body, headers = {}) =>
      answerOf(await fetch(`${url}${path}`, { method: "POST", headers: { ...json, ...headers }, body: JSON.stringify(body) })),
    get: async (path) => answerOf(await fetch(`${url}${path}`)),
    stop: () => ended(child),
  };
}

async function answerOf(response: Response): Promise<Answer> {
  return { status: response.status, body: await response.json() };
}

/** The first record that it prints says where it listens. */
function begun(child: ChildProcess): Promise<Json> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      try {
        resolve(JSON.parse(text));
      } catch {
        // not whole yet
      }
    });
    child.on("close", (code) => reject(new Error(`the server ended with ${code}: ${text}`)));
  });
}

async function ended(child: ChildProcess): Promise<void> {
  const closed = new Promise((resolve) => child.on("close", resolve));
  child.kill("SIGTERM");
  await closed;
}
