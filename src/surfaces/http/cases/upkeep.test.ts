// From the body of a write about settings, archives, caches and teams to what the use case is asked.
import { describe, expect, it } from "vitest";
import { done } from "../../../core/result.ts";
import { noOf, type SampleHttp, sampleHttp } from "../http.sample.ts";

async function listening(): Promise<SampleHttp> {
  const http = await sampleHttp();
  http.sample.instead = () => done({ ok: true });
  return http;
}

describe("a write", () => {
  it.each<[string, object, string, object]>([
    ["/quota", { compute: 0.5, dry_run: true }, "quotaSet", { goalId: null, compute: 0.5, dryRun: true }],
    [
      "/goals/alpha/configure",
      {
        quota_compute: 0.5,
        write_scope: "src/**",
        replace_write_scope: true,
        clear_waiting_on: true,
        agent_work_mode: ["a1=active"],
      },
      "configureGoal",
      {
        goalId: "alpha",
        quotaCompute: 0.5,
        quotaWindowHours: null,
        writeScope: { mode: "replace", items: ["src/**"] },
        waitingOn: { kind: "clear" },
        agentWorkModes: ["a1=active"],
        dryRun: false,
      },
    ],
    [
      "/goals/alpha/configure",
      { clear_write_scope: true, waiting_on: "controller" },
      "configureGoal",
      { writeScope: { mode: "replace", items: [] }, waitingOn: { kind: "set", value: "controller" } },
    ],
    ["/goals/alpha/configure", {}, "configureGoal", { writeScope: null, waitingOn: null, agentWorkModes: [], dryRun: false }],
    ["/goals/alpha/remove", { dry_run: true }, "goalRemove", { goalId: "alpha", dryRun: true }],
    ["/refresh", { dry_run: true }, "refreshAll", { dryRun: true }],
    [
      "/goals/alpha/archive",
      { allow_registered: true, dry_run: true },
      "archive",
      { goalId: "alpha", archiveRoot: null, allowRegistered: true, dryRun: true },
    ],
    [
      "/goals/alpha/restore",
      { archive_path: "/a/alpha-1" },
      "restore",
      { goalId: "alpha", archivePath: "/a/alpha-1", archiveRoot: null, dryRun: false },
    ],
    ["/agents/stop", { session: "night", now: true }, "agentsStop", { session: "night", now: true }],
    ["/agents/wake", { agent_id: "a1" }, "agentsWake", { session: null, agentId: "a1" }],
    [
      "/cache/prune",
      { kind: "verifier", capability: "test", max_entries: 2, max_bytes: 0, older_than: 0.5 },
      "cachePrune",
      { kind: "verifier", capability: "test", maxEntries: 2, maxBytes: 0, olderThanDays: 0.5, dryRun: false },
    ],
    ["/cache/clear", { kind: "status", dry_run: true }, "cacheClear", { kind: "status", capability: null, dryRun: true }],
  ])("of %s asks for what its body says: %o", async (path, body, useCase, request) => {
    const { post, sample } = await listening();
    expect((await post(path, body)).status).toBe(200);
    expect(sample.asked).toMatchObject([{ use_case: useCase, request }]);
  });

  it.each([
    [{ clear_write_scope: true, write_scope: "a" }],
    [{ replace_write_scope: true }],
    [{ waiting_on: "controller", clear_waiting_on: true }],
    [{ waiting_on: "nobody" }],
  ])("of settings that contradict each other is asked for nothing: %o", async (body) => {
    const { post, sample } = await listening();
    const no = await post("/goals/alpha/configure", body);
    expect([no.status, (await noOf(no)).code, sample.asked]).toEqual([400, "invalid_field", []]);
  });
});
