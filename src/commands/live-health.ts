/** Whether the picture that a program keeps can be trusted at this moment. */
import { Fault } from "../errors.ts";

export interface Health {
  readonly ok: boolean;
  /** Since the store last answered. */
  readonly last_look_ms_ago: number;
  /** Of the last look or round that failed; null when the last one succeeded. */
  readonly error: { readonly code: string; readonly message: string } | null;
}

export function errorOf(error: unknown): NonNullable<Health["error"]> {
  if (error instanceof Fault) return { code: error.code, message: error.message };
  return { code: "bug", message: error instanceof Error ? error.message : String(error) };
}
