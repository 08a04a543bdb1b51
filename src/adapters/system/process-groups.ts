/**
 * Process groups that must not outlive this process.
 *
 * G1  A group is ended by force when this process exits or is asked to end by a signal while the group is held.
 * G2  A signal does what it would have done without us: if nobody else listens for it, this process ends by it.
 */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const held = new Set<number>();

/** Until the answer is called. */
export function holdGroup(leader: number): () => void {
  if (held.size === 0) listen();
  held.add(leader);
  return () => {
    if (held.delete(leader) && held.size === 0) ignore();
  };
}

/** False when nobody is left in it. */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}

function listen(): void {
  process.on("exit", endAll);
  for (const signal of SIGNALS) process.on(signal, endBy);
}

function ignore(): void {
  process.off("exit", endAll);
  for (const signal of SIGNALS) process.off(signal, endBy);
}

/** (G1) */
function endAll(): void {
  for (const leader of held) signalGroup(leader, "SIGKILL");
}

/** (G2) */
function endBy(signal: NodeJS.Signals): void {
  endAll();
  ignore();
  held.clear();
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}
