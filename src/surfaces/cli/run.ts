/**
 * One invocation from arguments to exit status: parse, dispatch, print, and the one catch.
 *
 * Does not own: what codes mean outside (`errors.ts`), the wording of an answer (`core/show`).
 *
 * R1  Every way out passes here: a value, a refusal, bad input, a fault, a bug. Each has one form for programs and one for people.
 * R2  Nothing is opened before the arguments are understood.
 * R3  The exit status is 0 for an answer, 1 for one that says `ok: false`, else what `errors.ts` says; 70 for a bug. Only an answer
 *     about work that went on for long brings its own.
 */
import type { Reply } from "../../core/result.ts";
import { type Fault, isFault } from "../../errors.ts";
import type { Shown, Told } from "./command.ts";
import type { Host } from "./host.ts";
import { type No, noOf, noOfFault } from "./no.ts";
import { formConflict, formOf, type Out, putNo, putShown } from "./output.ts";
import { type Parsed, parse } from "./parse.ts";
import { type Session, session } from "./session.ts";
import { OUTPUT_FAILED } from "./sink.ts";
import { EVERY_TURN } from "./table-turns.ts";

/** Codes that mean: there is no project here yet. */
const NO_PROJECT = new Set(["nothing_here", "registry_not_found"]);

export async function runCli(host: Host): Promise<number> {
  const out = { stdout: host.stdout, stderr: host.stderr, form: formOf(host.argv) };
  try {
    return await dispatch(host, out);
  } catch (thrown) {
    return isFault(thrown) ? putFault(out, thrown) : putBug(host, out, thrown);
  }
}

async function dispatch(host: Host, out: Out): Promise<number> {
  const parsed = await understood(host.argv);
  switch (parsed.kind) {
    case "version":
      await host.stdout.write(`${host.version}\n`);
      return 0;
    case "help": {
      const { helpText } = await import("./help.ts");
      const { COMMANDS } = await import("./table.ts");
      await host.stdout.write(helpText(parsed.topic, COMMANDS));
      return 0;
    }
    case "bad_input":
      return putNoAndExit(out, noOf(parsed));
    case "run":
      return runCommand(host, out, parsed);
  }
}

/** Most starts are of a command that is known without the whole table; for all else that is asked. */
async function understood(argv: readonly string[]): Promise<Parsed> {
  const often = parse(argv, EVERY_TURN);
  return often.kind === "run" || often.kind === "version" ? often : parse(argv, (await import("./table.ts")).COMMANDS);
}

type Invocation = Extract<Parsed, { kind: "run" }>;

async function runCommand(host: Host, out: Out, invocation: Invocation): Promise<number> {
  const conflict = formConflict(invocation.options, host.argv);
  if (conflict !== null) return putNoAndExit(out, noOf(conflict));
  const opened = session(host, out, invocation);
  try {
    const run = await invocation.spec.load();
    const reply = await run(opened.context, invocation.options);
    opened.progress.clear();
    const status = await answer(out, invocation, reply);
    opened.log("info", "command.done", { exit: status });
    return status;
  } catch (thrown) {
    opened.progress.clear();
    logThrown(opened, thrown);
    throw thrown;
  } finally {
    await opened.close();
  }
}

async function answer(out: Out, invocation: Invocation, reply: Reply<Shown | Told | null>): Promise<number> {
  if (reply.kind === "done") {
    if (reply.value === null) return 0;
    return "payload" in reply.value ? putAnswer(out, reply.value) : reply.value.exit;
  }
  if (invocation.bare && out.form === "markdown" && NO_PROJECT.has(reply.code)) {
    const { WELCOME } = await import("./help.ts");
    return putAnswer(out, { payload: {}, markdown: () => WELCOME });
  }
  return putNoAndExit(out, noOf(reply));
}

/** R3. */
async function putAnswer(out: Out, shown: Shown): Promise<number> {
  await putShown(out, shown);
  shown.shown?.();
  if (shown.exit !== undefined) return shown.exit;
  return "ok" in shown.payload && shown.payload.ok === false ? 1 : 0;
}

async function putNoAndExit(out: Out, no: No): Promise<number> {
  await putNo(out, no);
  return no.exit;
}

/** In words when the place for data is what failed. */
async function putFault(out: Out, fault: Fault): Promise<number> {
  return putNoAndExit(fault.code === OUTPUT_FAILED ? { ...out, form: "markdown" } : out, noOfFault(fault));
}

function logThrown(opened: Session, thrown: unknown): void {
  const facts = isFault(thrown)
    ? { code: thrown.code, message: thrown.message }
    : { stack: String((thrown as Error)?.stack ?? thrown) };
  opened.log("error", isFault(thrown) ? "command.fault" : "command.bug", facts);
}

export async function putBug(host: Host, out: Out, thrown: unknown): Promise<number> {
  const { BUG_EXIT, bugAsPayload, bugReport } = await import("./bug.ts");
  const facts = { thrown, argv: host.argv, version: host.version, machine: host.machine, correlation: host.correlation };
  if (out.form === "json") await putShown(out, { payload: bugAsPayload(facts), markdown: () => "" });
  else await out.stderr.write(bugReport(facts));
  return BUG_EXIT;
}
