/** What a registry says about where runtime data lie. */
import type { DeclaredRoot } from "./registry.ts";

/** Of the raw value of `common_runtime_root`: missing, null and blank mean the default root. */
export function declaredRoot(value: unknown): DeclaredRoot {
  if (value === undefined || value === null) return { kind: "absent" };
  if (typeof value !== "string") return { kind: "invalid", message: "`common_runtime_root` must be a text" };
  if (value.includes("\u0000")) return { kind: "invalid", message: "`common_runtime_root` contains U+0000" };
  return value.trim() === "" ? { kind: "absent" } : { kind: "text", text: value };
}
