/**
 * Does a text carry something that looks like a credential? It would land in files that people share and publish.
 *
 * Does not own: what happens then. The test only refuses a write; it steers nothing.
 */

const ASSIGNED = /\b(?:token|password|passwd|secret|api[_-]?key|access[_-]?key|ak|sk)\s*[=:]\s*\S{4,}/i;
const AUTHORIZATION = /\b(?:authorization\s*:|bearer\s+[a-z0-9._~+/-]{8,})/i;
const KNOWN_SHAPES = /\b(?:sk-[A-Za-z0-9_-]{12,}|AKIA[0-9A-Z]{12,}|gh[pousr]_[A-Za-z0-9]{20,}|xox[abprs]-[A-Za-z0-9-]{10,})/;

/** Completes "<field> …"; null when nothing looks like a credential. */
export function secretFlaw(text: string): string | null {
  if (ASSIGNED.test(text)) return "looks like it holds a credential (name=value); name where it is kept instead";
  if (AUTHORIZATION.test(text)) return "looks like it holds an authorization header; name where it is kept instead";
  if (KNOWN_SHAPES.test(text)) return "holds something shaped like an access key; name where it is kept instead";
  return null;
}
