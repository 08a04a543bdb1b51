/** A field that takes one text or several, as the list that the use case takes. */
export function listed(words: string | readonly string[] | null | undefined): readonly string[] {
  return typeof words === "string" ? [words] : (words ?? []);
}
