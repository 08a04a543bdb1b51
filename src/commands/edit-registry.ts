/**
 * Changes the registry of a project while people and other processes change it too.
 *
 * Does not own: which bytes a change touches (`core/registry/edit.ts`), replacing a file safely (`ports/files.ts`).
 *
 * E1  The change is made on what the file says at that moment, by the one process that may replace shared files: no entry of
 *     another process is lost, however many write at once.
 * E2  Where a person saved meanwhile, their text is read and the change is made on that; nothing is written over it.
 * E3  A registry that cannot be read, or that a newer program wrote, is left as it is.
 */
import { editRegistry, type RegistryChange } from "../core/registry/edit.ts";
import { folderOf } from "../core/registry/path-text.ts";
import { done, type Reply, refuse, reject } from "../core/result.ts";
import type { RegistryReader, ReplaceOutcome } from "../ports/files.ts";
import type { WritingWorkspace } from "./workspace.ts";

export interface RegistryEdit {
  readonly changed: boolean;
  readonly registry: string;
  /** Of the whole file; equal where nothing changed. */
  readonly text: { readonly before: string; readonly after: string };
}

export type RegistryPorts = Pick<WritingWorkspace, "roots" | "store" | "files" | "clock">;

type EditPorts = RegistryPorts & { readonly read: RegistryReader };

/** Each try that fails means that somebody saved in the microseconds between reading and replacing. */
const MOST_TRIES = 50;

export async function editRegistryFile(ports: RegistryPorts, change: RegistryChange): Promise<Reply<RegistryEdit>> {
  const read = await ports.files.registryReader();
  return await ports.store.exclusively(() => editNow({ ...ports, read }, change)); // (E1)
}

/** What `editRegistryFile` would answer, without writing. */
export async function rehearseEdit(ports: RegistryPorts, change: RegistryChange): Promise<Reply<RegistryEdit>> {
  const planned = planEdit({ ...ports, read: await ports.files.registryReader() }, change);
  return planned.kind === "done" ? done(answerOf(ports, planned.value)) : planned;
}

function editNow(ports: EditPorts, change: RegistryChange): Reply<RegistryEdit> {
  const path = ports.roots.registry_path;
  ports.files.recoverFile(path);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const planned = planEdit(ports, change);
    if (planned.kind !== "done") return planned;
    const { text, next } = planned.value;
    if (next === text) return done(answerOf(ports, planned.value));
    const outcome = ports.files.replaceFile({ path, expected: { kind: "text", text }, next, within: folderOf(path) });
    if (outcome.kind === "replaced") return done(answerOf(ports, planned.value));
    if (outcome.kind !== "changed" && outcome.kind !== "overtaken") return notReplaced(path, outcome); // (E2)
  }
  return refuse("file_changed", `${path} was saved again and again while it was to be changed; try again.`, {
    details: { path },
  });
}

interface PlannedEdit {
  readonly text: string;
  readonly next: string;
}

/** (E3) */
function planEdit({ read: readRegistry, roots, clock }: EditPorts, change: RegistryChange): Reply<PlannedEdit> {
  const read = readRegistry(roots.registry_path);
  if (read.kind !== "done") return read;
  const next = editRegistry(read.value, change, clock.now());
  return next.kind === "done" ? done({ text: read.value.document.text, next: next.value }) : next;
}

function answerOf({ roots }: RegistryPorts, { text, next }: PlannedEdit): RegistryEdit {
  return { changed: next !== text, registry: roots.registry_path, text: { before: text, after: next } };
}

function notReplaced(
  path: string,
  outcome: Extract<ReplaceOutcome, { kind: "missing" | "unreadable" | "refused" }>,
): Reply<never> {
  if (outcome.kind === "missing") return reject("registry_not_found", `${path} is gone.`);
  return reject(outcome.problem.code, `${path} cannot be changed: ${outcome.problem.message}`, { problems: [outcome.problem] });
}
