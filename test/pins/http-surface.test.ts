import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { outwardOf } from "../../src/errors.ts";
import { LARGEST_BODY } from "../../src/surfaces/http/guard.ts";
import { sampleHttp, WITH_TOKEN } from "../../src/surfaces/http/http.sample.ts";
import { LIMITS } from "../../src/surfaces/http/limits.ts";
import { isWrite } from "../../src/surfaces/http/use-case.ts";
import { EVERY_ROUTE } from "../../src/surfaces/http/use-cases.ts";

const READS: Readonly<Record<string, readonly string[]>> = {
  "/": [],
  "/status": ["limit", "cursor", "all", "fields", "goal_id", "agent_id", "at"],
  "/status.json": ["limit", "cursor", "all", "fields", "goal_id", "agent_id", "at"],
  "/events": ["after"],
  "/healthz": [],
  "/openapi.json": [],
  "/goals": ["limit", "cursor", "all"],
  "/goals/{goal_id}": [],
  "/goals/{goal_id}/history": ["limit", "cursor", "at"],
  "/history": ["limit", "cursor"],
  "/drift": ["goal_id", "limit", "cursor"],
  "/quota": ["limit", "cursor"],
  "/quota/plan": [],
  "/goals/{goal_id}/quota": [],
  "/goals/{goal_id}/quota/should-run": ["agent_id", "available_capability"],
  "/next": ["agent_id", "available_capability", "instance", "seen"],
  "/goals/{goal_id}/next": ["agent_id", "available_capability", "instance", "seen", "at"],
  "/goals/{goal_id}/why": ["agent_id", "available_capability", "instance", "at"],
  "/goals/{goal_id}/todos/{todo_id}/why-not": ["agent_id", "available_capability", "instance", "at"],
  "/goals/{goal_id}/diagnose": ["agent_id", "available_capability"],
  "/goals/{goal_id}/todos": ["status", "role", "limit", "cursor"],
  "/goals/{goal_id}/todos/{todo_id}": ["agent_id"],
  "/gates": ["limit", "cursor"],
  "/goals/{goal_id}/gates": ["limit", "cursor"],
  "/goals/{goal_id}/gates/{todo_id}": [],
  "/goals/{goal_id}/leases": ["agent_id", "limit", "cursor"],
  "/goals/{goal_id}/todos/{todo_id}/lease": [],
  "/goals/{goal_id}/evidence": ["todo_id", "limit", "cursor"],
  "/goals/{goal_id}/evidence/{seq}": ["with_output"],
  "/goals/{goal_id}/evidence-log": ["agent_id", "todo_id", "since", "limit", "thin"],
  "/cache": ["kind", "capability"],
  "/registry": [],
  "/archives": ["goal_id", "limit", "cursor"],
  "/agents": ["session"],
  "/agents/logs": ["session", "agent_id"],
};

/** Reads that need the token wherever they are asked. */
const PRIVATE: readonly string[] = ["/goals/{goal_id}/evidence/{seq}", "/agents", "/agents/logs"];

const GATE_WORDS = "unblocks_todo_id blocks_agent decision_scope global_gate on_reject expires_at default_outcome cadence note";
const TODO_WORDS =
  "task_class action_kind claimed_by excluded_agent depends_on resume_when target_key next_due_at watch_only required_capability target_capability required_write_scope required_decision_scope validation_command validation_command_argv validation_label validation_timeout_seconds run bound_agent goal_bound continuation_policy evidence reason";
const NEXT_TODOS =
  "next no_follow_up next_task_class next_action_kind next_claimed_by next_excluded_agent next_continuation_policy next_user_todo next_user_task_class next_bound_agent next_goal_bound next_blocks_agent next_global_gate";
const WRITER = "agent_id lease_epoch turn_instance_id task_lease_idempotency_key task_lease_expected_version dry_run";

const QUOTA =
  "profile compute window_hours slot_minutes allowed_slots tokens wall_minutes limit_open_todos limit_running_tasks limit_runtime_bytes limit_event_bytes limit_cache_entries limit_cache_bytes dry_run";

/** Fields of the body; ! marks one that is required. */
const WRITES: Readonly<Record<string, string>> = {
  "/goals": "goal_id! objective! display_name state_file dry_run",
  "/goals/{goal_id}/refresh":
    "agent_id agent_lane classification recommended_action next_action delivery_outcome delivery_batch_scale todo_id turn_instance_id progress_scope state_file dry_run",
  "/goals/{goal_id}/stop": "reason dry_run",
  "/goals/{goal_id}/resume": "reason dry_run",
  "/goals/{goal_id}/remove": "dry_run",
  "/refresh": "dry_run",
  "/drift/fix": "goal_id dry_run",
  "/quota": QUOTA,
  "/goals/{goal_id}/configure":
    "quota_compute quota_window_hours write_scope replace_write_scope clear_write_scope waiting_on clear_waiting_on agent_work_mode dry_run",
  "/goals/{goal_id}/quota": QUOTA,
  "/goals/{goal_id}/agents": "agent_id! require_new dry_run",
  "/goals/{goal_id}/quota/spend-slot": "agent_id todo_id turn_instance_id slots tokens wall_seconds source dry_run",
  "/goals/{goal_id}/quota/void-slot": "void_seq void_generated_at reason_summary! dry_run",
  "/goals/{goal_id}/quota/hold": "agent_id until minutes reason dry_run",
  "/goals/{goal_id}/quota/resume": "agent_id reason dry_run",
  "/goals/{goal_id}/next": "agent_id instance available_capability turn_instance_id seen",
  "/goals/{goal_id}/claim":
    "agent_id instance available_capability todo_id turn_instance_id idempotency_key ttl_seconds write_scope dry_run",
  "/goals/{goal_id}/done":
    "agent_id todo_id turn_instance_id summary next no_follow_up reason lease_epoch task_lease_idempotency_key task_lease_expected_version slots tokens wall_seconds no_cache dry_run",
  "/goals/{goal_id}/todos": `text! role priority status ${GATE_WORDS} ${TODO_WORDS} agent_id turn_instance_id dry_run`,
  "/goals/{goal_id}/todos/archive-completed": "max_active_done dry_run",
  "/goals/{goal_id}/todos/{todo_id}/update": `text priority status clear_claim ${GATE_WORDS} ${TODO_WORDS} ${NEXT_TODOS} ${WRITER}`,
  "/goals/{goal_id}/todos/{todo_id}/block": `reason note resume_when ${WRITER}`,
  "/goals/{goal_id}/todos/{todo_id}/defer": `until resume_when reason note ${WRITER}`,
  "/goals/{goal_id}/todos/{todo_id}/reopen": `reason note ${WRITER}`,
  "/goals/{goal_id}/todos/{todo_id}/complete": `${NEXT_TODOS} reason note evidence decision_outcome ${WRITER}`,
  "/goals/{goal_id}/todos/{todo_id}/supersede": `superseded_by ${NEXT_TODOS} reason note evidence ${WRITER}`,
  "/goals/{goal_id}/gates": `text! priority ${GATE_WORDS} agent_id dry_run`,
  "/goals/{goal_id}/gates/{todo_id}/approve": "reason dry_run",
  "/goals/{goal_id}/gates/{todo_id}/reject": "reason dry_run",
  "/goals/{goal_id}/gates/{todo_id}/defer": "reason until dry_run",
  "/goals/{goal_id}/todos/{todo_id}/lease/acquire":
    "agent_id instance available_capability turn_instance_id idempotency_key ttl_seconds write_scope",
  "/goals/{goal_id}/todos/{todo_id}/lease/renew":
    "agent_id lease_epoch expected_version turn_instance_id dry_run idempotency_key ttl_seconds",
  "/goals/{goal_id}/todos/{todo_id}/lease/transfer":
    "agent_id lease_epoch expected_version turn_instance_id dry_run to! idempotency_key",
  "/goals/{goal_id}/todos/{todo_id}/lease/release":
    "agent_id lease_epoch expected_version turn_instance_id dry_run idempotency_key",
  "/goals/{goal_id}/evidence":
    "agent_id todo_id label! command exit_code duration_seconds output note lease_epoch idempotency_key dry_run",
  "/goals/{goal_id}/todos/{todo_id}/verify": "agent_id turn_instance_id lease_epoch no_cache dry_run",
  "/poll": "agent_id todo_id target_key result_hash material_change dry_run",
  "/goals/{goal_id}/poll": "agent_id todo_id target_key result_hash material_change dry_run",
  "/cache/prune": "kind capability max_entries max_bytes older_than dry_run",
  "/cache/clear": "kind capability dry_run",
  "/goals/{goal_id}/archive": "allow_registered dry_run",
  "/goals/{goal_id}/restore": "archive_path dry_run",
  "/agents/stop": "session now",
  "/agents/wake": "session agent_id",
};

interface Content {
  readonly "application/json"?: { readonly schema: { readonly $ref?: string } };
  readonly "text/event-stream"?: unknown;
}

interface Operation {
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly securitySchemes: object };
}

async function describedSurface(reads: "open" | "with_token" = "open"): Promise<Document> {
  const { ask } = await sampleHttp({ reads });
  return (await (await ask("/openapi.json", { headers: WITH_TOKEN })).json()) as Document;
}

function namesOf(operation: Operation | undefined, place: string): readonly string[] {
  return (operation?.parameters ?? []).filter((parameter) => parameter.in === place).map(({ name }) => name);
}

function schemaOf({ components }: Document, content: Content | undefined): Schema {
  const name = content?.["application/json"]?.schema.$ref?.split("/").at(-1) ?? "";
  return components.schemas[name] ?? {};
}

describe("the HTTP surface", () => {
  it("has these reads with these parameters, and these writes", () => {
    const reads = EVERY_ROUTE.filter((route) => !isWrite(route)).map(({ path, parameters }) => [path, parameters]);
    expect(Object.fromEntries(reads)).toEqual(READS);
    expect(EVERY_ROUTE.filter(isWrite).map(({ path }) => path)).toEqual(Object.keys(WRITES));
  });

  it("is described in /openapi.json as it is, each read with its answer and its no", async () => {
    const { openapi, paths, components } = await describedSurface();
    expect(openapi).toBe("3.1.0");
    expect(Object.keys(paths).sort()).toEqual([...new Set([...Object.keys(READS), ...Object.keys(WRITES)])].sort());
    const methods = Object.entries(paths).map(([path, operations]) => [path, Object.keys(operations).sort()]);
    const offered = (path: string) => [path in READS && "get", path in WRITES && "post"].filter((method) => method !== false);
    expect(methods).toEqual(Object.keys(paths).map((path) => [path, offered(path)]));
    for (const [path, parameters] of Object.entries(READS)) {
      const get = paths[path]?.["get"];
      expect([path, namesOf(get, "query")]).toEqual([path, parameters]);
      const security = PRIVATE.includes(path) ? [{ token: [] }] : [];
      expect([path, Object.keys(get?.responses ?? {}), get?.security]).toEqual([path, ["200", "default"], security]);
    }
    expect(Object.keys(paths["/events"]?.["get"]?.responses["200"]?.content ?? {})).toEqual(["text/event-stream"]);
    const { No, Status, Drift } = components.schemas;
    expect(Object.keys(No?.properties ?? {})).toEqual(expect.arrayContaining(["ok", "code", "message", "fix", "retry"]));
    expect(Object.keys(Status?.properties ?? {})).toEqual(
      expect.arrayContaining(["ok", "registry", "runtime_root", "goal_count", "goals", "attention_queue", "left_out"]),
    );
    expect(Object.keys(Drift?.properties ?? {})).toEqual(["goal_id", "kind", "severity", "declared", "observed", "since", "fix"]);
  });

  it("is described with the body, the token, the key and every no of each write", async () => {
    const document = await describedSurface();
    expect(document.components.securitySchemes).toMatchObject({ token: { type: "http", scheme: "bearer" } });
    for (const [path, fields] of Object.entries(WRITES)) {
      const post = document.paths[path]?.["post"];
      expect(post?.security).toEqual([{ token: [] }]);
      expect(namesOf(post, "header")).toEqual(["Idempotency-Key"]);
      expect(namesOf(post, "path")).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      expect(post?.requestBody?.required).toBe(true);
      const { properties = {}, required = [], additionalProperties } = schemaOf(document, post?.requestBody?.content);
      const named = Object.keys(properties).map((name) => `${name}${required.includes(name) ? "!" : ""}`);
      expect([path, named.join(" "), additionalProperties]).toEqual([path, fields, false]);
      const statuses = ["200", "400", "401", "403", "404", "409", "413", "415", "422", "503", "default"];
      expect(Object.keys(post?.responses ?? {})).toEqual(statuses);
      expect(schemaOf(document, post?.responses["200"]?.content).required).toContain("ok");
      for (const status of statuses.slice(1)) {
        expect(post?.responses[status]?.content["application/json"]?.schema.$ref).toBe("#/components/schemas/No");
      }
    }
  });

  it("says where reads need the token, too", async () => {
    const { paths } = await describedSurface("with_token");
    const open = Object.keys(READS).filter((path) => paths[path]?.["get"]?.security.length === 0);
    expect(open).toEqual(["/healthz"]);
  });

  it("gives these statuses to what it refuses itself", () => {
    const statuses = [
      ["unknown_parameter", 400],
      ["invalid_goal_id", 400],
      ["body_not_expected", 400],
      ["malformed_request", 400],
      ["route_not_found", 404],
      ["method_not_allowed", 405],
      ["request_timeout", 408],
      ["body_too_large", 413],
      ["unsupported_media_type", 415],
      ["malformed_json", 400],
      ["unknown_field", 400],
      ["invalid_field", 400],
      ["url_too_long", 414],
      ["headers_too_large", 431],
    ] as const;
    for (const [code, status] of statuses) expect([code, outwardOf({ kind: "bad_input", code }).http]).toEqual([code, status]);
    expect(outwardOf({ kind: "refusal", code: "host_refused" }).http).toBe(421);
    expect(outwardOf({ kind: "refusal", code: "origin_refused" }).http).toBe(403);
    for (const code of ["token_required", "token_wrong"]) expect(outwardOf({ kind: "refusal", code }).http).toBe(401);
    expect(outwardOf({ kind: "refusal", code: "no_token" }).http).toBe(403);
    for (const code of ["starting", "too_many_listeners", "server_stopping"]) {
      expect(outwardOf({ kind: "fault", code })).toMatchObject({ http: 503, retry: true });
    }
    expect(outwardOf({ kind: "fault", code: "port_in_use" }).exit).toBe(5);
    expect(outwardOf({ kind: "refusal", code: "not_loopback" }).exit).toBe(1);
  });

  it("is what docs/http.md says", () => {
    const text = readFileSync(new URL("../../docs/http.md", import.meta.url), "utf8");
    const rowOf = (method: string, path: string) =>
      text.split("\n").find((line) => line.startsWith(`| \`${method}`) && line.includes(`${path}\``)) ?? "";
    for (const [path, parameters] of Object.entries(READS)) {
      const row = rowOf("GET", path);
      expect([path, ...parameters.filter((name) => row.includes(`\`${name}\``))]).toEqual([path, ...parameters]);
    }
    for (const [path, fields] of Object.entries(WRITES)) {
      const row = rowOf("POST", path);
      const names = fields.replaceAll("!", "").split(" ");
      expect([path, ...names.filter((name) => row.includes(`\`${name}\``))]).toEqual([path, ...names]);
    }
    expect(text).toContain(`| ${LARGEST_BODY / 1024} KiB |`);
    expect(text).toContain(`| ${LIMITS.connections}, ${LIMITS.eventClients} |`);
    expect(text).toContain(`| ${LIMITS.headersTimeoutMs / 1000} s, ${LIMITS.requestTimeoutMs / 1000} s |`);
    expect(text).toContain(`every ${LIMITS.heartbeatMs / 1000} seconds`);
    expect(text).toContain(`nothing for ${LIMITS.slowClientMs / 1000} seconds`);
    expect(text).toContain(`${LIMITS.headerBytes / 1024} KiB, `);
    expect(text).toContain(`| ${LIMITS.stopMs / 1000} s, then`);
  });
});
