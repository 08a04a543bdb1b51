/** What comes of a turn: results, failures, lost leases. */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Renewal } from "../../src/commands/keep-lease.ts";
import { type ProgramName, RESULT } from "./agent-host-programs.ts";
import { type HostUnderTest, hostRunner, wallOf } from "./agent-host-runner.ts";

export function outcomeSuite(name: string, under: HostUnderTest): void {
  const { run, runTurn, resultFile, workspace } = hostRunner(under);

  describe(`${name}: results`, () => {
    test.each<[ProgramName, string]>([
      ["file", "file"],
      ["structured", "structured"],
      ["fenced", "fenced"],
      ["chatter", "file"],
    ])("%s: the result comes over the channel %s", async (program, channel) => {
      expect(await run(program)).toMatchObject({
        kind: "result",
        channel,
        result: RESULT,
        conflicts: [],
        end: { kind: "exited", code: 0 },
      });
    });

    test("session and usage are those of the stream, and the time is measured", async () => {
      const outcome = await run("structured");
      expect(outcome).toMatchObject({
        session_id: "s-1",
        usage: { input_tokens: 3, output_tokens: 4, wall_ms: expect.any(Number) },
      });
    });

    test("the file counts, and what the stream says differently is reported", async () => {
      expect(await run("contradicting")).toMatchObject({
        kind: "result",
        channel: "file",
        result: RESULT,
        conflicts: [{ kind: "differs", channel: "structured", fields: ["kind", "summary"] }],
      });
    });

    test.each<[ProgramName]>([["partialFile"], ["partialEvent"]])(
      "%s cannot be used, and nothing is put in its place",
      async (program) => {
        const outcome = await run(program);
        expect(outcome).toMatchObject({ kind: "failed", failure: { kind: "output_invalid" } });
        expect(
          outcome.kind === "failed" && outcome.failure.kind === "output_invalid" ? outcome.failure.problems : [],
        ).toHaveLength(1);
      },
    );

    test("saying nothing means what the host's row says", async () => {
      const completed = { kind: "result", channel: "exit", result: { kind: "validated_completion" } };
      const failed = { kind: "failed", failure: { kind: "output_invalid", problems: [] } };
      expect(await run("nothing")).toMatchObject(under.host.silence === "completion" ? completed : failed);
    });

    test("a result that was handed over before is the answer, and the host is not run", async () => {
      await run("file");
      expect(await run("exit1")).toEqual({ kind: "already_said", checked: { ok: true, result: RESULT } });
      expect(await run("exit1", { request: { earlier_result: "discard" } })).toMatchObject({
        kind: "failed",
        failure: { kind: "crashed" },
      });
    });
  });

  describe(`${name}: failures`, () => {
    test.each<[ProgramName, object]>([
      ["rateLimit", { kind: "rate_limited", until: "2026-11-30T09:00:00.000Z" }],
      ["authFailure", { kind: "auth_failed" }],
      ["refusal", { kind: "refused" }],
      ["exit1", { kind: "crashed", cause: { kind: "exit", code: 1 } }],
      ["crash", { kind: "crashed", cause: { kind: "signal", signal: "SIGSEGV" } }],
    ])("%s is %j", async (program, failure) => {
      expect(await run(program)).toMatchObject({ kind: "failed", failure });
    });

    test("silence ends at the idle limit", async () => {
      const outcome = await run("silence", { request: { limits: { idle_ms: 60 } } });
      expect(outcome).toMatchObject({
        kind: "failed",
        failure: { kind: "timeout_idle", after_ms: 60 },
        end: { kind: "idle_limit" },
      });
    });

    test("a program that goes on and on ends at the hard limit", async () => {
      const outcome = await run("hang", { request: { limits: { idle_ms: 10_000, hard_ms: 200 } } });
      expect(outcome).toMatchObject({
        kind: "failed",
        failure: { kind: "timeout_hard", after_ms: 200 },
        end: { kind: "hard_limit" },
      });
    });

    test("a program that ignores the request to end is made to", async () => {
      const stop = new AbortController();
      const outcome = await run("stubborn", { request: { signal: stop.signal, onEvent: () => stop.abort() } });
      expect(outcome).toMatchObject({ kind: "stopped", end: { kind: "aborted" } });
      expect(wallOf(outcome)).toBeLessThan(4000);
    });

    test("a result that was handed over counts, though the host hung after it and was stopped", async () => {
      const stop = new AbortController();
      const outcome = await run("submitAndHang", { request: { signal: stop.signal, onEvent: () => stop.abort() } });
      expect(outcome).toMatchObject({ kind: "result", channel: "file", result: RESULT, end: { kind: "aborted" } });
    });

    test("a turn that is stopped before it begins starts nothing", async () => {
      const outcome = await run("file", { request: { signal: AbortSignal.abort() } });
      expect(outcome).toMatchObject({ kind: "stopped" });
      expect(existsSync(resultFile())).toBe(false);
    });

    test("a program that is not there is no process", async () => {
      expect(await runTurn(under.turnWithout())).toMatchObject({
        kind: "failed",
        failure: { kind: "host_missing", why: "not_found" },
        run: null,
      });
      expect(existsSync(resultFile())).toBe(false);
    });

    test("a workspace that was deleted is refused before anything starts", async () => {
      rmSync(workspace(), { recursive: true });
      expect(await run("file")).toMatchObject({ kind: "not_started", no: { kind: "refusal", code: "workspace_missing" } });
      writeFileSync(workspace(), "a file");
      expect(await run("file")).toMatchObject({ kind: "not_started", no: { code: "workspace_missing" } });
    });
  });

  describe(`${name}: leases`, () => {
    test("a lease that is lost stops the host, and its result is none", async () => {
      let asked = 0;
      const renew = (): Promise<Renewal> => {
        asked += 1;
        const lost = asked > 1 && existsSync(resultFile());
        return Promise.resolve(lost ? { kind: "lost" } : { kind: "held", for_ms: 10_000 });
      };
      const outcome = await run("submitAndHang", { request: { lease: { left_ms: 10_000, renew_every_ms: 10, renew } } });
      expect(outcome).toMatchObject({ kind: "lease_lost", end: { kind: "aborted" } });
    });

    test("a lease that cannot be renewed stops the host when its time has passed", async () => {
      const renew = (): Promise<Renewal> => Promise.reject(new Error("store away"));
      const outcome = await run("silence", { request: { lease: { left_ms: 150, renew_every_ms: 20, renew } } });
      expect(outcome).toMatchObject({ kind: "lease_lost" });
    });

    test("a lease that is renewed lets the host come to its end", async () => {
      const renew = (): Promise<Renewal> => Promise.resolve({ kind: "held", for_ms: 10_000 });
      expect(await run("file", { request: { lease: { left_ms: 10_000, renew_every_ms: 10, renew } } })).toMatchObject({
        kind: "result",
      });
    });
  });
}
