/**
 * Makes credentials unreadable before a text is logged or printed in a report.
 *
 * Does not own: refusing texts that hold one.
 *
 * S1  A value beside a name that means a credential is replaced whole, whatever it looks like.
 * S2  A text that has the shape of a well-known credential is replaced wherever it stands.
 */

const MASK = "***";
const SECRET_NAME =
  /(?:token|secret|passw(?:or)?d|passphrase|authorization|credential|cookie|api[-_]?key|private[-_]?key|access[-_]?key)$/i;
const NAMED =
  /((?:token|secret|passw(?:or)?d|passphrase|authorization|credential|cookie|api[-_]?key|private[-_]?key|access[-_]?key)["']?\s*[:=]\s*["']?)(?:bearer\s+|basic\s+)?[^\s"',;&]+/gi;
const SHAPED =
  /\b(?:sk-[A-Za-z0-9_-]{8,}|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{12,}|xox[abprs]-[\w-]{8,}|AKIA[A-Z0-9]{12,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)/g;
const BEARER = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;
const IN_URL = /(\w:\/\/)[^\s/@:]+:[^\s/@]+@/g;

/** Whether a field of this name holds a credential. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** S1, S2. */
export function maskSecrets(text: string): string {
  return text.replace(NAMED, `$1${MASK}`).replace(SHAPED, MASK).replace(BEARER, `$1 ${MASK}`).replace(IN_URL, `$1${MASK}@`);
}
