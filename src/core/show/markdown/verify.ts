/** `verify` for people. */
import { code, markdown } from "../escape.ts";
import type { VerifiedCheck, VerifyPayload } from "../verify.ts";
import { list, page } from "./table.ts";
import { problemLine } from "./words.ts";

export function verifyPage({ ok, checks, message, dry_run, turn_written, then, warnings }: VerifyPayload): string {
  const headline = checks.length === 0 ? "Nothing to verify" : ok ? "Verified" : "Not verified";
  return page(
    [`# ${headline}${dry_run ? " (nothing was written)" : ""}`],
    [markdown(message)],
    list([...checks.map(checkLine), ...(turn_written ? ["the turn counts as failed"] : []), ...warnings.map(problemLine)]),
    [`Next: ${then.map(code).join(" or ")}`],
  );
}

function checkLine({ label, outcome, exit_code, duration_ms, cached, seq, note }: VerifiedCheck): string {
  const exit = outcome === "failed" && exit_code !== null ? ` with exit status ${exit_code}` : "";
  const when = cached ? "before" : `in ${duration_ms} ms`;
  const evidence = seq === null ? "" : `, evidence ${seq}`;
  return `${markdown(label)}: ${outcome.replace("_", " ")}${exit} ${when}${evidence}${note === null ? "" : ` (${markdown(note)})`}`;
}
