/** The built program as a server, and raw requests to it: a header is sent exactly as it was recorded. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { withoutTimes } from "./clock-words.ts";
import type { Answered } from "./facts/http.ts";
import { parseJson } from "./json.ts";
import { PROGRAM } from "./program.ts";
import type { Exchange, RecordedCase } from "./recorded.ts";
import { withoutRoot, withRoot } from "./tree.ts";

export interface Serving {
  readonly root: string;
  readonly child: ChildProcess;
  readonly port: number;
}

export async function serve(recorded: RecordedCase, root: string, options: readonly string[]): Promise<Serving> {
  const registry = join(root, "project/.loopx/registry.json");
  const env = Object.fromEntries(Object.entries(recorded.env).map(([key, value]) => [key, withRoot(root, value)]));
  const args = [PROGRAM, "--registry", registry, "serve-status", "--port", "0", "--interval", "0.1", ...options];
  const child = spawn(process.execPath, args, {
    env: { ...env, PATH: process.env["PATH"] },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface(child.stdout)) {
    const port = /127\.0\.0\.1:(\d+)/.exec(line)?.[1];
    if (port !== undefined) return { root, child, port: Number(port) };
  }
  throw new Error("The server ended before it said where it listens.");
}

export async function stop({ child }: Serving): Promise<void> {
  child.kill("SIGTERM");
  await once(child, "exit");
}

const OWN_LENGTH = "Content-Length";

export function ask({ port, root }: Serving, exchange: Exchange): Promise<Answered> {
  const { [OWN_LENGTH]: length, ...headers } = exchange.headers;
  const body = exchange.body === "<64001 bytes>" ? "x".repeat(64_001) : exchange.body;
  const wrongLength = length !== undefined && !/^\d+$/.test(length) ? { [OWN_LENGTH]: length } : {};
  return new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port,
      method: exchange.method,
      path: exchange.path,
      headers: { ...headers, ...wrongLength },
    };
    const sent = request(options, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (more: string) => {
        text += more;
      });
      answer.on("error", reject);
      answer.on("end", () => {
        const allowed = answer.headers["access-control-allow-origin"] ?? null;
        const json = parseJson(withoutTimes(withoutRoot(root, text)));
        resolve({ status: answer.statusCode ?? 0, allow_origin: allowed, json });
      });
    });
    sent.on("error", reject);
    sent.end(body ?? undefined);
  });
}
