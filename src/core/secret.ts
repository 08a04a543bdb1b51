/**
 * Makes credentials unreadable before a text is logged or printed in a report.
 *
 * Does not own: refusing texts that hold one.
 *
 * S1  A value beside a name that means a credential is replaced whole, whatever it looks like.
 * S2  A text that has the shape of a well-known credential is replaced wherever it stands.
 * S3  The time is linear in the text, whatever it holds: it may be a line of a program that wants to keep us busy.
 */

const MASK = "***";
const SECRET_NAME =
  /(?:token|secret|passw(?:or)?d|passphrase|authorization|credential|cookie|api[-_]?key|private[-_]?key|access[-_]?key)$/i;
// Quotes may carry backslashes: JSON inside of a text in JSON.
const NAMED =
  /((?:token|secret|passw(?:or)?d|passphrase|authorization|credential|cookie|api[-_]?key|private[-_]?key|access[-_]?key)(?:\\*["'])?\s*[:=]\s*(?:\\*["'])?)(?:bearer\s+|basic\s+)?[^\s"',;&\\]+/gi;
const SHAPED =
  /\b(?:sk-[A-Za-z0-9_-]{8,}|gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{12,}|xox[abprs]-[\w-]{8,}|A[KS]IA[A-Z0-9]{12,}|AIza[\w-]{30,}|npm_[A-Za-z0-9]{30,}|hf_[A-Za-z0-9]{20,})/g;
// It begins where no letter of it stands before: else each `eyJ` of a long text would be tried to the end (S3).
const WEB_TOKEN = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g;
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?!-----END ).)*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/gs;
const BEARER = /\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi;
const IN_URL = /(\w:\/\/)[^\s/@:]+:[^\s/@]+@/g;

/** Whether a field of this name holds a credential. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** S1, S2. */
export function maskSecrets(text: string): string {
  return text
    .replace(PRIVATE_KEY, MASK)
    .replace(NAMED, `$1${MASK}`)
    .replace(SHAPED, MASK)
    .replace(WEB_TOKEN, MASK)
    .replace(BEARER, `$1 ${MASK}`)
    .replace(IN_URL, `$1${MASK}@`);
}
