/** Milliseconds, never backwards. Node's `performance` would load a module of its own for it. */
export function monotonic(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
