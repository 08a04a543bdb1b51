/** How a host's process came to its end, or why it never began. */

export type ProcessEnd =
  | { readonly kind: "exited"; readonly code: number }
  /** By somebody else's signal. */
  | { readonly kind: "signalled"; readonly signal: string }
  /** Ended by us: without output for too long, running for too long, or because it was asked for. */
  | { readonly kind: "idle_limit" | "hard_limit" | "aborted" };

export interface NotStarted {
  readonly kind: "not_started";
  readonly why: "program_missing" | "not_executable" | "workspace_missing" | "too_long";
}
