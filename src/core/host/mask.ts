/**
 * Makes credentials unreadable in what a program prints, line by line.
 *
 * Does not own: what a credential looks like within a line (`core/secret.ts`).
 *
 * M1  A private key that spans lines is masked from its first line to its last: one mask stands for all of them.
 * M2  Where the end of a key never comes, masking ends at the first line that cannot belong to one: nothing else is hidden.
 */
import { maskSecrets } from "../secret.ts";

const BEGIN = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?!.*-----END )/;
const END = /-----END [A-Z ]{0,40}PRIVATE KEY-----/;
/** Base 64, also as part of a quoted text. The groups are never tried again in shorter pieces: a hostile line takes no longer. */
const BASE_64 = /^(?=([\s"'+>|-]*))\1(?=([A-Za-z0-9+/=]*))\2(?:\\[nr])*[\s"'\\+,]*$/;
const HEADER = /^\s*(?:Proc-Type|DEK-Info|Comment): /;

/** One for each stream of a program. */
export class LineMasker {
  #insideKey = false;

  /** The line as it may be kept; null when it is a part of something that is masked already (M1). */
  mask(line: string): string | null {
    if (this.#insideKey) {
      const end = END.exec(line);
      this.#insideKey = end === null && (BASE_64.test(line) || HEADER.test(line)); // (M2)
      if (this.#insideKey) return null;
      if (end !== null) return restOf(line.slice(end.index + end[0].length));
    }
    this.#insideKey = BEGIN.test(line);
    return maskSecrets(line);
  }
}

function restOf(text: string): string | null {
  return text.trim() === "" ? null : maskSecrets(text);
}
