/**
 * Orders to a running supervisor, as files in its session's folder: it removes each one that it takes.
 *
 * Does not own: what an order leads to (`core/team`).
 *
 * O1  An order is there whole or not at all, for its owner alone.
 * O2  A change of the folder is only a hint to look; without it, it is looked at every `LOOK_MS`.
 * O3  What is no order is removed and does nothing; what was there before the supervisor began is not for it.
 */
import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, rmSync, watch } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { SessionOrder } from "../../ports/team.ts";
import { makePrivateFolder, readPrivateJson, writePrivately } from "./private-files.ts";

const LOOK_MS = 1000;
const ACK_MS = 20;

export function onSessionOrder(folder: string, listener: (order: SessionOrder) => void): () => void {
  makePrivateFolder(folder);
  take(folder, () => undefined); // (O3)
  const look = (): void => take(folder, listener);
  const timer = setInterval(look, LOOK_MS); // (O2)
  const hints = hintsOf(folder, look);
  return () => {
    clearInterval(timer);
    hints();
  };
}

export async function giveOrder(folder: string, order: SessionOrder, wait_ms: number): Promise<"taken" | "not_taken"> {
  makePrivateFolder(folder);
  const path = join(folder, `${Date.now()}-${randomBytes(4).toString("hex")}.json`);
  if (writePrivately(path, JSON.stringify(order)) !== null) return "not_taken"; // (O1)
  for (const end = performance.now() + wait_ms; performance.now() < end; ) {
    if (!existsSync(path)) return "taken";
    await sleep(ACK_MS);
  }
  rmSync(path, { force: true });
  return "not_taken";
}

function take(folder: string, listener: (order: SessionOrder) => void): void {
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    const order = orderIn(path);
    rmSync(path, { force: true, recursive: true });
    if (order !== null) listener(order);
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch {
    return [];
  }
}

/** O3. */
function orderIn(path: string): SessionOrder | null {
  const value = readPrivateJson(path) as Readonly<Record<string, unknown>> | null;
  if (typeof value !== "object" || value === null) return null;
  const { do: what, agent_id } = value;
  if (what === "drain" || what === "stop") return { do: what };
  if (what !== "wake" || (agent_id !== null && typeof agent_id !== "string")) return null;
  return { do: "wake", agent_id };
}

function hintsOf(folder: string, look: () => void): () => void {
  try {
    const watcher = watch(folder, { persistent: false }, look);
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => undefined;
  }
}
