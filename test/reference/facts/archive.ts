/** `archive-runtime`: what moves, from where and to where. */
import { at, type Json } from "../json.ts";
import type { Facts, Reading } from "./facts.ts";

export const ARCHIVE: Reading = {
  reference: ({ payload }) => archiveFacts(payload),
  ours: ({ payload }) => archiveFacts(payload),
};

const SAME_NAMES = [
  "goal_id",
  "registry",
  "runtime_root",
  "registry_member",
  "source",
  "archive_root",
  "archive_path",
  "dry_run",
  "archived",
  "action",
] as const;

/** Both programs have the same names here. */
function archiveFacts(payload: Json): Facts {
  if (at(payload, "archive_path") === null) return {};
  return Object.fromEntries(SAME_NAMES.map((key) => [key, at(payload, key)]));
}
