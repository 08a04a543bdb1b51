/**
 * Where a host finds `loopx`: a folder of our own with a link to the program that runs, ahead of what the person's PATH names.
 *
 * P1  The host calls the program that started it, whatever else of that name is installed.
 * P2  Where no link can be made, the PATH is the person's: a host need not call us.
 */
import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readlinkSync, realpathSync, symlinkSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";

/** Answers a PATH. `script` is what Node was started with. */
export function programFolder(runtime_root: string, path: string, script: string | undefined = process.argv[1]): string {
  const program = script === undefined ? null : programAt(script);
  const folder = program === null ? null : linkedFolder(runtime_root, program);
  const node = dirname(process.execPath);
  const own = folder === null ? [] : [folder];
  const known = path.split(delimiter).includes(node) ? [] : [node];
  return [...own, ...(path === "" ? [] : [path]), ...known].join(delimiter); // (P1)
}

/** Null: something else runs us, such as a test runner. */
function programAt(script: string): string | null {
  try {
    const real = realpathSync(script);
    return basename(real) === "loopx.cjs" ? real : null;
  } catch {
    return null;
  }
}

/** P2. One folder a program, so that two of them never change each other's link. */
function linkedFolder(runtime_root: string, program: string): string | null {
  const name = createHash("sha256").update(program).digest("hex").slice(0, 12);
  const folder = join(runtime_root, "launcher", "bin", name);
  const link = join(folder, "loopx");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(program, link);
    return readlinkSync(link) === program ? folder : null;
  } catch {
    return null;
  }
}
