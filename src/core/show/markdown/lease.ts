/** Leases for people. */
import type { Instant } from "../../instant.ts";
import { code, markdown as text } from "../escape.ts";
import type { HeldLease, LeaseListPayload, LeasePayload, LeaseShowPayload } from "../lease.ts";
import { counted, list, page, table } from "./table.ts";
import { problemLine, when } from "./words.ts";

export function leasePage(answer: LeasePayload): string {
  const { todo_id, lease, idempotent, dry_run, then, warnings } = answer;
  const done = idempotent ? "unchanged" : dry_run ? "would change" : "changed";
  return page(
    [`# Lease of ${code(todo_id)}: ${lease === null ? "nobody holds it" : lease.status} (${done})`],
    list([...(lease === null ? [] : facts(lease)), ...warnings.map(problemLine)]),
    [`Next: ${then.map(code).join(" or ")}`],
  );
}

export function leaseShowPage(answer: LeaseShowPayload): string {
  const { todo_id, lease, why_not_effective, claimed_by, then } = answer;
  const claim = lease === null && claimed_by !== null ? [`the state file says that ${code(claimed_by)} claimed it`] : [];
  return page(
    [`# Lease of ${code(todo_id)}: ${lease === null ? "nobody holds it" : lease.status}`],
    list([
      ...(lease === null ? claim : facts(lease)),
      ...(lease === null || why_not_effective === null ? [] : [`without effect: ${text(why_not_effective)}`]),
    ]),
    [`Next: ${then.map(code).join(" or ")}`],
  );
}

function facts({ owner, epoch, version, expires_at, write_scopes }: HeldLease): readonly string[] {
  return [
    `owner: ${code(owner)}`,
    `number ${epoch}, version ${version}, until ${expires_at}`,
    ...(write_scopes.length === 0 ? [] : [`writes to: ${write_scopes.map(code).join(", ")}`]),
  ];
}

export function leaseListPage({ leases, lease_count, active_count, left_out }: LeaseListPayload, now: Instant): string {
  const rows = leases.map(({ todo_id, owner, epoch, status, expires_at, renewed_at }) => [
    code(todo_id),
    code(owner),
    String(epoch),
    status,
    expires_at,
    when(renewed_at, now),
  ]);
  return page(
    [`# ${lease_count === 0 ? "No leases" : `${counted(lease_count, "lease")}, ${active_count} active`}`],
    rows.length === 0 ? [] : table(["Todo", "Owner", "Number", "Is", "Until", "Renewed"], rows),
    [`Next: ${(left_out.get.length === 0 ? ["loopx next"] : left_out.get).map(code).join(" or ")}`],
  );
}
