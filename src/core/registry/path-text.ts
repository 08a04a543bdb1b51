/**
 * Paths as text, with `/` as separator: joined and made plain without asking a file system.
 *
 * Does not own: symlinks (the adapter resolves them) and which folder is meant (`resolve-roots.ts`, `locate.ts`).
 */

/** `path` seen from `base` (absolute): no `.`, `..`, double or final separators are left. */
export function resolvePath(base: string, path: string): string {
  const parts: string[] = [];
  for (const part of (isAbsolutePath(path) ? path : `${base}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function isAbsolutePath(path: string): boolean {
  return path.startsWith("/");
}

/** The folder that an absolute, plain path is in; `null` for the root. */
export function parentPath(path: string): string | null {
  return path === "/" ? null : path.slice(0, Math.max(1, path.lastIndexOf("/")));
}

/** As `parentPath`, with the root in itself. */
export function folderOf(path: string): string {
  return parentPath(path) ?? "/";
}

export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** `~` and `~/…` to the home folder; `null` for another user's home (`~name`), which is not looked up. */
export function expandHome(path: string, home: string): string | null {
  if (path === "~" || path.startsWith("~/")) return `${home}${path.slice(1)}`;
  return path.startsWith("~") ? null : path;
}
