/**
 * Reads what `strace -f -y -o FILE` wrote.
 *
 * T1  A call that was interrupted in the log by another thread's line is one call: its place is where it was entered, its
 *     result is where it returned.
 * T2  The first line's process is the main thread.
 * T3  Paths are absolute: a relative one is taken from the folder that strace shows for the descriptor before it, else from
 *     the folder that the program was started in.
 */
import { resolve } from "node:path";

export interface Syscall {
  readonly name: string;
  /** The n-th call of this name in its thread, from 1. */
  readonly ordinal: number;
  /** Every file that the call names or has open, absolute where the log allows it. */
  readonly paths: readonly string[];
  /** The recorded part of what was written or named, one byte a character. */
  readonly data: string | null;
  /** The arguments as strace shows them. */
  readonly args: string;
  /** `null` when the call never returned. */
  readonly result: number | null;
  /** For example `ENOENT`, when the call failed. */
  readonly errno: string | null;
  /** Line numbers in the log, to compare the order of calls of several threads. */
  readonly entered: number;
  readonly returned: number | null;
}

interface Pending {
  readonly name: string;
  readonly args: string;
  readonly entered: number;
}

interface Thread {
  readonly folder: string;
  readonly calls: Syscall[];
  readonly counts: Map<string, number>;
  pending: Pending | null;
}

const LINE = /^(\d+)\s+(.*)$/;
const WHOLE = /^(\w+)\((.*)\)\s+= (-?\d+|\?|0x[0-9a-f]+)(.*)$/;
const OPENED = /^(\w+)\((.*?)\s*<unfinished \.\.\.>$/;
const RESUMED = /^<\.\.\. (\w+) resumed>\s?(.*)\)\s+= (-?\d+|\?|0x[0-9a-f]+)(.*)$/;
const TORN = /^(\w+)\((.*)$/;

/** `folder`: where the traced program was started. */
export function parseTrace(
  text: string,
  folder: string,
): { readonly calls: readonly Syscall[]; readonly otherCalls: readonly Syscall[] } {
  const threads = new Map<string, Thread>();
  let main: string | null = null;
  for (const [index, line] of text.split("\n").entries()) {
    const [, id, rest] = LINE.exec(line) ?? [];
    if (id === undefined || rest === undefined) continue;
    main ??= id;
    const thread = threads.get(id) ?? { folder, calls: [], counts: new Map(), pending: null };
    threads.set(id, thread);
    readLine(thread, rest, index + 1);
  }
  for (const thread of threads.values()) close(thread);
  const all = [...threads].map(([id, thread]) => ({ main: id === main, calls: thread.calls }));
  return {
    calls: all.filter((each) => each.main).flatMap((each) => each.calls),
    otherCalls: all.filter((each) => !each.main).flatMap((each) => each.calls),
  };
}

function readLine(thread: Thread, rest: string, line: number): void {
  if (rest.startsWith("+++") || rest.startsWith("---")) return;
  const resumed = RESUMED.exec(rest);
  if (resumed !== null) {
    const [, , tail = "", result = "?", note = ""] = resumed;
    const { pending } = thread;
    thread.pending = null;
    if (pending !== null) add(thread, { ...pending, args: pending.args + tail }, { result, note, line });
    return;
  }
  close(thread);
  const whole = WHOLE.exec(rest);
  if (whole !== null) {
    const [, name = "", args = "", result = "?", note = ""] = whole;
    add(thread, { name, args, entered: line }, { result, note, line });
    return;
  }
  const [, name, args] = OPENED.exec(rest) ?? TORN.exec(rest) ?? [];
  if (name !== undefined && args !== undefined) thread.pending = { name, args, entered: line };
}

/** (T1) A call that is still open when its thread ends never returned. */
function close(thread: Thread): void {
  if (thread.pending !== null) add(thread, thread.pending, null);
  thread.pending = null;
}

function add(
  thread: Thread,
  call: Pending,
  end: { readonly result: string; readonly note: string; readonly line: number } | null,
): void {
  const ordinal = (thread.counts.get(call.name) ?? 0) + 1;
  thread.counts.set(call.name, ordinal);
  const known = end !== null && end.result !== "?";
  thread.calls.push({
    name: call.name,
    ordinal,
    paths: pathsOf({ ...call, note: end?.note ?? "" }, thread.folder),
    data: /"((?:[^"\\]|\\.)*)"/.exec(call.args)?.[1]?.replace(ESCAPE, unescapeOne) ?? null,
    args: call.args,
    result: known ? Number(end.result) : null,
    errno: /^ (E[A-Z0-9]+)/.exec(end?.note ?? "")?.[1] ?? null,
    entered: call.entered,
    returned: known ? end.line : null,
  });
}

const TOKEN = /"((?:[^"\\]|\\.)*)"(?:\.\.\.)?|(AT_FDCWD|\b\d+)<([^>]*)>/g;

/** (T3) */
function pathsOf(call: { readonly name: string; readonly args: string; readonly note: string }, started: string): string[] {
  const paths: string[] = [];
  const stringsAreData = /write|read/.test(call.name) && !call.name.startsWith("readlink");
  let folder = started;
  for (const [, text, descriptor, target = ""] of call.args.matchAll(TOKEN)) {
    if (descriptor !== undefined) folder = target;
    if (descriptor !== undefined && descriptor !== "AT_FDCWD") paths.push(target);
    if (text !== undefined && !stringsAreData) paths.push(resolve(folder, text.replace(ESCAPE, unescapeOne)));
  }
  const opened = /^<([^>]*)>/.exec(call.note)?.[1];
  return opened === undefined ? paths : [...paths, opened];
}

const ESCAPE = /\\(?:x([0-9a-f]{2})|([0-7]{1,3})|(.))/g;
const LETTERS: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", v: "\v", f: "\f", a: "\u0007", b: "\b" };

function unescapeOne(_: string, hex: string | undefined, octal: string | undefined, letter = ""): string {
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
  return LETTERS[letter] ?? letter;
}
