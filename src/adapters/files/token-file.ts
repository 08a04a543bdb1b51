/**
 * The secret that opens the server's writes: made once, kept in a file that only its owner can read.
 *
 * Does not own: who has to show it and how it is compared (`surfaces/http`).
 *
 * K1  A new token is 32 random bytes. The file is whole under its name from the first instant, mode 0600, and never replaced: of two
 *     programs that make it at once, both read the one that was first.
 * K2  A file that others can read or that somebody else owns, a link, and a text that is no token are refused with the command that
 *     clears the way; nothing is repaired, because what others could read is no secret any more.
 * K3  The token is in no message.
 */
import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";
import { shellCommand } from "../../core/command-line.ts";
import { done, type Refusal, type Reply, refuse } from "../../core/result.ts";
import { isFault } from "../../errors.ts";
import type { ServeToken } from "../../ports/serve-token.ts";
import { errnoOf, faultOf, pathProblem } from "./file-fault.ts";
import { createPrivateFile } from "./write-file.ts";

const RANDOM_BYTES = 32;
const FORM = /^[A-Za-z0-9_-]{43}\n?$/;
const LARGEST = 64;
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const ELSEWHERE = 0o077;

/** Of the file at `path`, which is made when it is missing. */
export function serveTokenAt(path: string): Reply<ServeToken> {
  return readToken(path) ?? makeToken(path);
}

/** K1. */
function makeToken(path: string): Reply<ServeToken> {
  const value = randomBytes(RANDOM_BYTES).toString("base64url");
  const outcome = created(path, value);
  if (outcome.kind === "created") return done({ path, value });
  if (outcome.kind === "refused") return unwritable(path, outcome.problem.message);
  return readToken(path) ?? unwritable(path, `${path} comes and goes`);
}

function created(path: string, value: string): ReturnType<typeof createPrivateFile> {
  try {
    return createPrivateFile(path, `${value}\n`);
  } catch (error) {
    if (!isFault(error) || error.code !== "read_only") throw error;
    return { kind: "refused", problem: { path, code: error.code, message: error.message } };
  }
}

/** Null: there is no file. */
function readToken(path: string): Reply<ServeToken> | null {
  try {
    const descriptor = openSync(path, FLAGS);
    try {
      return tokenIn(descriptor, path);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    if (errnoOf(error) === "ELOOP") return unusable(path, "token_file_is_link", "is a link, and links are not followed");
    const problem = pathProblem(error, path);
    if (problem === null) throw faultOf(error, path);
    return unusable(path, "token_file_unreadable", problem.message.slice(path.length + 1));
  }
}

/** K2. */
function tokenIn(descriptor: number, path: string): Reply<ServeToken> {
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) return unusable(path, "token_file_damaged", "is no file");
  const open = openTo(stats);
  if (open !== null) return unusable(path, "token_file_not_private", open);
  const text = stats.size > LARGEST ? "" : readFileSync(descriptor, "latin1");
  if (!FORM.test(text)) return unusable(path, "token_file_damaged", text === "" ? "is empty or too long" : "holds no token");
  return done({ path, value: text.trimEnd() });
}

/** Who else could have read or written it; null where only its owner could. Windows knows neither owner nor mode. */
function openTo(stats: Stats): string | null {
  const user = process.getuid?.();
  if (user === undefined) return null;
  if (stats.uid !== user) return "belongs to another user";
  const mode = (stats.mode & 0o777).toString(8).padStart(4, "0");
  return (stats.mode & ELSEWHERE) === 0 ? null : `has mode ${mode}: others may know the token`;
}

function unusable(path: string, code: string, saying: string): Refusal {
  return refuse(code, `${path} ${saying}; when it is gone, a new token is made`, {
    fix: shellCommand("rm", path),
    details: { token_file: path },
  });
}

function unwritable(path: string, why: string): Refusal {
  return refuse("token_unwritable", `no token can be made: ${why}`, { details: { token_file: path } });
}
