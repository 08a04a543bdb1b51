/** Signals to processes of this machine. */

/** False when there is no such process, or it is another person's. */
export function sendSignal(pid: number, signal: "SIGTERM" | "SIGKILL"): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
