/** What one running command holds: the application once it is asked for, the log, the progress line, the interrupt. */
import type { LogLevel } from "../../ports/system.ts";
import { type Context, commandName, type Stage } from "./command.ts";
import type { Host, Opened, Settings } from "./host.ts";
import { logChoice } from "./log-settings.ts";
import { type Out, putShown } from "./output.ts";
import type { Parsed } from "./parse.ts";
import { type ProgressLine, progressLine } from "./progress.ts";
import { watch } from "./watch.ts";

export interface Session {
  readonly context: Context;
  readonly progress: ProgressLine;
  /** Nothing while the application is not open. */
  readonly log: (level: LogLevel, event: string, facts: Readonly<Record<string, unknown>>) => void;
  readonly close: () => Promise<void>;
}

export function session(host: Host, out: Out, invocation: Extract<Parsed, { kind: "run" }>): Session {
  const started = host.elapsed();
  const command = commandName(invocation.spec);
  const progress = progressFor(host, invocation);
  const settings = (): Settings => settingsOf(host, invocation, progress);
  let opening: Promise<Opened> | null = null;
  let opened: Opened | null = null;
  const app = async (): Promise<Opened["app"]> => {
    opening ??= host.open(settings());
    opened = await opening;
    return opened.app;
  };
  return {
    progress,
    log: (level, event, facts) =>
      opened?.log.write(level, event, { command, ms: Math.round(host.elapsed() - started), ...facts }),
    close: async () => opened?.close(),
    context: {
      app,
      now: host.now,
      get cwd() {
        return host.cwd;
      },
      stage: () => stageOf(host, out),
      version: host.version,
      machine: host.machine,
      watch: (seconds, round) =>
        whileNotInterrupted(host, (interrupted) =>
          watch({ ...out, clearsScreen: host.isTerminal(1), sleep: host.sleep, interrupted }, seconds, round),
        ),
      live: (work) =>
        whileNotInterrupted(host, (interrupted) =>
          work({
            interrupted,
            write: host.stdout.write,
            note: (text) => {
              if (invocation.options.flag("verbose") || host.isTerminal(2)) void host.stderr.write(text);
            },
            lines: host.lines,
          }),
        ),
      serve: (request) =>
        whileNotInterrupted(host, (interrupted) =>
          host.serve(request, { settings: settings(), interrupted, show: (shown) => putShown(out, shown) }),
        ),
    },
  };
}

function stageOf({ stdout, isTerminal, onSignal, every }: Host, { form }: Out): Stage {
  const write = (text: string): void => void stdout.write(text);
  return { form, isTerminal: form === "markdown" && isTerminal(1), write, onSignal, every };
}

function progressFor(host: Host, { options }: Extract<Parsed, { kind: "run" }>): ProgressLine {
  return progressLine({
    write: (text) => void host.stderr.write(text),
    isTerminal: () => host.isTerminal(2),
    mode: options.flag("verbose") ? "always" : "terminal only",
    elapsed: host.elapsed,
  });
}

function settingsOf(host: Host, { options }: Extract<Parsed, { kind: "run" }>, progress: ProgressLine): Settings {
  const verbose = options.flag("verbose");
  const choice = logChoice(host.env["LOOPX_LOG"]);
  return {
    registry: options.text("registry"),
    runtimeRoot: options.text("runtime-root"),
    cwd: host.cwd,
    env: host.env,
    progress,
    log: {
      level: verbose ? "debug" : choice.level,
      file: choice.file,
      echo: verbose ? (line) => void host.stderr.write(line) : null,
      correlation: host.correlation,
    },
  };
}

async function whileNotInterrupted<T>(host: Host, work: (interrupted: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  host.stdout.onClosed(stop);
  const release = host.onInterrupt(stop);
  try {
    return await work(controller.signal);
  } finally {
    release();
  }
}
