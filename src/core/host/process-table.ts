/**
 * Reads what a system tells of its processes: `/proc/<pid>/stat` and `/proc/<pid>/environ` of Linux, `ps` elsewhere.
 *
 * Does not own: asking the system (adapters).
 *
 * P1  The name of a program may hold anything, brackets, spaces and line feeds too: fields are counted from the last bracket.
 * P2  A process that has ended and was not collected yet (a zombie) runs no more.
 * P3  No marks are no process's marks: a search without any finds nothing.
 */

export interface ProcessRow {
  readonly pid: number;
  /** The process group. */
  readonly group: number;
  /** Clock ticks from the boot of the machine to the start of the process, or the time of the start, as text: only ever compared. */
  readonly started: string;
  readonly runs: boolean;
}

/** P1. */
export function readStat(stat: string): ProcessRow | null {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const pid = Number.parseInt(stat, 10);
  const [state, , group] = fields;
  const started = fields[19];
  if (Number.isNaN(pid) || state === undefined || group === undefined || started === undefined) return null;
  return { pid, group: Number(group), started, runs: isRunning(state) };
}

/** One line of `ps -o pid=,pgid=,stat=,lstart=`, and whatever comes after it: arguments and environment. */
const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\d{4})(?:\s(.*))?$/s;

export function readPsLine(line: string): (ProcessRow & { readonly rest: string }) | null {
  const match = PS_LINE.exec(line);
  if (match === null) return null;
  const [, pid, group, state = "", started = "", rest = ""] = match;
  return { pid: Number(pid), group: Number(group), started: started.replace(/\s+/g, " "), runs: isRunning(state), rest };
}

/** P2. */
function isRunning(state: string): boolean {
  return !/^[ZXx]/.test(state);
}

/** Whether an environment, as the kernel keeps it (`NAME=value` ended by U+0000), has all the marks (P3). */
export function hasMarks(environ: string, marks: Readonly<Record<string, string>>): boolean {
  const padded = `\0${environ}\0`;
  const wanted = Object.entries(marks);
  return wanted.length > 0 && wanted.every(([name, value]) => padded.includes(`\0${name}=${value}\0`));
}

/** The same in the words of `ps`, which separates by spaces: marks without spaces are found exactly. */
export function saysMarks(rest: string, marks: Readonly<Record<string, string>>): boolean {
  return hasMarks(rest.replaceAll(" ", "\0"), marks);
}
