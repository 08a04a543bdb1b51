// What a code means outside: a red pin asks whether programs that read exit statuses were thought of.
import { expect, test } from "vitest";
import { BUG, namedCodes, outwardOf } from "../../src/errors.ts";

test("E1 codes of the table", () => {
  const rows = Object.entries(namedCodes()).map(
    ([code, { exit, http, retry }]) => `${code} ${exit} ${http}${retry ? " retry" : ""}`,
  );
  expect(rows).toMatchInlineSnapshot(`
    [
      "unknown_goal 3 404",
      "unknown_archive 3 404",
      "registry_not_found 3 404",
      "state_file_not_found 3 404",
      "runtime_goal_not_found 3 404",
      "nothing_here 3 404",
      "route_not_found 3 404",
      "bad_input unknown_agent 3 404",
      "unknown_todo 3 404",
      "unknown_spend 3 404",
      "unknown_evidence 3 404",
      "agent_required 3 400",
      "file_changed 4 409 retry",
      "todo_lease_conflict 4 409 retry",
      "todo_claimed 4 409 retry",
      "write_scope_conflict 4 409 retry",
      "stale_epoch 4 409 retry",
      "lease_cas_mismatch 4 409 retry",
      "version_mismatch 4 409 retry",
      "lease_not_live 4 409 retry",
      "idempotency_key_reuse 1 409",
      "version_required 2 422",
      "tree_changed 4 409 retry",
      "session_running 4 409 retry",
      "session_not_running 1 409",
      "unknown_session 3 404",
      "checks_failed 1 422",
      "gate_decided 1 409",
      "goal_belongs_to 1 409",
      "origin_refused 1 403",
      "host_refused 1 421",
      "token_required 1 401",
      "token_wrong 1 401",
      "no_token 1 403",
      "not_loopback 1 403",
      "body_too_large 2 413",
      "url_too_long 2 414",
      "headers_too_large 2 431",
      "unsupported_media_type 2 415",
      "request_timeout 2 408 retry",
      "method_not_allowed 2 405",
      "bad_cursor 2 400",
      "engine_too_old 5 503",
      "store_newer 5 503",
      "store_damaged 5 503",
      "store_unopenable 5 503",
      "network_filesystem 5 503",
      "read_only 5 503",
      "disk_full 5 503 retry",
    ]
  `);
});

test("E1 a code without a row has that of its kind", () => {
  expect(outwardOf({ kind: "refusal", code: "anything" })).toEqual({ exit: 1, http: 409, retry: false });
  expect(outwardOf({ kind: "bad_input", code: "anything" })).toEqual({ exit: 2, http: 400, retry: false });
  expect(outwardOf({ kind: "fault", code: "anything" })).toEqual({ exit: 5, http: 503, retry: true });
  expect(BUG).toEqual({ exit: 70, http: 500, retry: false });
});
