/** A `Host` that a test holds in its hands. */
import type { App } from "../../commands/app.ts";
import { done, type Reply } from "../../core/result.ts";
import { NOW } from "../../core/show/view.sample.ts";
import type { Host, Settings } from "./host.ts";
import { runCli } from "./run.ts";
import type { Sink } from "./sink.ts";

export interface Call {
  readonly use_case: string;
  readonly request: unknown;
}

export interface FakeOptions {
  readonly env?: Record<string, string>;
  /** What every use case answers; by default its own name and request. */
  readonly answer?: (call: Call) => Reply<object> | Promise<Reply<object>>;
  /** How many times a watch sleeps before it is interrupted. */
  readonly rounds?: number;
}

export interface FakeRun {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
  readonly calls: readonly Call[];
  readonly settings: Settings | null;
  readonly logged: readonly { readonly level: string; readonly event: string }[];
  readonly slept: readonly number[];
  /** How many times the application was opened, and closed. */
  readonly opened: number;
  readonly closed: number;
}

export async function runFake(argv: readonly string[], options: FakeOptions = {}): Promise<FakeRun> {
  const stdout = textSink();
  const stderr = textSink();
  const calls: Call[] = [];
  const logged: { level: string; event: string }[] = [];
  const slept: number[] = [];
  let settings: Settings | null = null;
  let opened = 0;
  let closed = 0;
  let interrupt: () => void = () => undefined;
  const host: Host = {
    argv,
    env: options.env ?? {},
    cwd: "/project",
    stdout,
    stderr,
    isTerminal: () => false,
    now: () => NOW,
    elapsed: () => 0,
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
      if (slept.length >= (options.rounds ?? 1)) interrupt();
    },
    onInterrupt: (listener) => {
      interrupt = listener;
      return () => undefined;
    },
    onSignal: () => () => undefined,
    every: () => () => undefined,
    lines: () => () => undefined,
    open: async (given) => {
      settings = given;
      opened += 1;
      const log = { write: (level: string, event: string) => void logged.push({ level, event }) };
      const close = async (): Promise<void> => {
        closed += 1;
      };
      return { app: fakeApp(calls, options), log, close };
    },
    serve: async (request, serving) => {
      calls.push({ use_case: "serve", request });
      await serving.show({ payload: { ok: true, url: "http://127.0.0.1:8765" }, markdown: () => "Serving" });
      return done(null);
    },
    version: "9.8.7",
    machine: "node 1 test",
    correlation: "c1",
  };
  const exit = await runCli(host);
  return { exit, out: stdout.text(), err: stderr.text(), calls, settings, logged, slept, opened, closed };
}

function textSink(): Sink & { text(): string } {
  let text = "";
  return {
    write: async (more) => {
      text += more;
    },
    closed: false,
    onClosed: () => undefined,
    text: () => text,
  };
}

/** Every use case by its name. */
function fakeApp(calls: Call[], { answer }: FakeOptions): App {
  return new Proxy({} as App, {
    get: (_, name) =>
      name === "then"
        ? undefined
        : async (request: unknown) => {
            const call = { use_case: String(name), request };
            calls.push(call);
            return answer === undefined ? done({ ok: true, ...call }) : answer(call);
          },
  });
}
