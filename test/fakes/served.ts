/** A server over a small world, and what speaks to it byte by byte. Tests that use it end with `endAll`. */
import { connect } from "node:net";
import { expect } from "vitest";
import { type SampleWorld, sampleWorld } from "../../src/commands/live.sample.ts";
import { noAnswer } from "../../src/schema/http/answers.ts";
import { sampleApp, TOKEN } from "../../src/surfaces/http/http.sample.ts";
import { nodeScheduler } from "../../src/surfaces/http/node-scheduler.ts";
import { type RunningServer, type ServeOptions, startServer } from "../../src/surfaces/http/start.ts";

const ends: (() => Promise<void>)[] = [];

/** What a test opened, in the order of opening. */
export function atEnd(end: () => Promise<void>): void {
  ends.push(end);
}

export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

export interface Serving {
  readonly world: SampleWorld;
  readonly server: RunningServer;
}

export function optionsOf(world: SampleWorld, given: Partial<ServeOptions> = {}): ServeOptions {
  const { app } = sampleApp(() => world.status());
  const open = { token: TOKEN, requireToken: false, allowHosts: [] };
  return { host: "127.0.0.1", port: 0, path: null, ...open, app, live: world.sources, version: "1.2.3", ...given };
}

export async function serving(given: Partial<ServeOptions> = {}): Promise<Serving> {
  const world = sampleWorld(nodeScheduler());
  const reply = await startServer(optionsOf(world, given));
  if (reply.kind !== "done") throw new Error(reply.message);
  ends.push(() => reply.value.stop());
  return { world, server: reply.value };
}

/** Sends bytes and answers everything that came back until the connection ended, however it did. */
export function send(port: number, ...parts: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.on("data", (data) => {
      text += data.toString("latin1");
    });
    socket.on("close", () => resolve(text));
    socket.on("error", () => undefined);
    for (const part of parts) socket.write(part);
  });
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}

export function codeOf(answer: string): string {
  const body = answer.slice(answer.indexOf("\r\n\r\n") + 4);
  expect(noAnswer.safeParse(JSON.parse(body)).error).toBeUndefined();
  return JSON.parse(body).code;
}

export function head(port: number, line = "GET /status HTTP/1.1"): string {
  return `${line}\r\nHost: 127.0.0.1:${port}\r\n`;
}

export interface Told {
  readonly code: string;
  readonly event_clients: number;
}

export async function toldBy(response: Response): Promise<Told> {
  return (await response.json()) as Told;
}
