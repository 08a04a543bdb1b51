/** What a turn does to the machine: processes, memory, logs, environment, hostile names. */
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { processIdentities } from "../../src/adapters/system/process-identity.ts";
import type { HostEvent } from "../../src/core/host/host-event.ts";
import { RESULT } from "./agent-host-programs.ts";
import { type Asked, type HostUnderTest, hostRunner, LOG_BYTES, names, wallOf } from "./agent-host-runner.ts";

export function processSuite(name: string, under: HostUnderTest): void {
  const { run, root, workspace, resultFile, logFile } = hostRunner(under);

  describe(`${name}: processes and output`, () => {
    test("100 MB of output: little memory, a small log, and the result all the same", async () => {
      const before = process.memoryUsage().rss;
      const outcome = await run("flood", { request: { limits: { hard_ms: 60_000 } } });
      const grown = process.memoryUsage().rss - before;
      expect(outcome).toMatchObject({ kind: "result", channel: "file", run: { dropped_bytes: 0, log_flaw: null } });
      expect(grown).toBeLessThan(150 * 1024 * 1024);
      expect(statSync(logFile()).size + statSync(`${logFile()}.1`).size).toBeLessThanOrEqual(2 * LOG_BYTES);
    }, 60_000);

    test("grandchildren that ignore TERM, hold the pipes and leave the group are ended", async () => {
      const children: number[] = [];
      const outcome = await run("grandchildren", { request: { onEvent: (event) => children.push(...childIn(event)) } });
      expect(outcome).toMatchObject({ kind: "result", channel: "file", run: { swept: 2 } });
      expect(children).toHaveLength(2);
      expect(children.filter((pid) => processIdentities().of(pid) !== null)).toEqual([]);
    });

    test("nobody waits for a pipe that a process holds which cannot be found", async () => {
      const children: number[] = [];
      const outcome = await run("escapee", { request: { onEvent: (event) => children.push(...childIn(event)) } });
      const child = Number(children[0]);
      expect(child).toBeGreaterThan(1);
      try {
        expect(outcome).toMatchObject({ kind: "result", channel: "file", run: { swept: 0 } });
        expect(wallOf(outcome)).toBeLessThan(4000);
        expect(processIdentities().of(child)).not.toBeNull();
      } finally {
        process.kill(child, "SIGKILL");
      }
    });

    test("the log is for its owner alone, and credentials in it are masked", async () => {
      await run("mirror", { args: ["--token=abcdefgh", "sk-abcdefgh12345678"] });
      expect(statSync(logFile()).mode & 0o777).toBe(0o600);
      expect(readFileSync(logFile(), "utf8")).toContain("--token=***");
      expect(readFileSync(logFile(), "utf8")).not.toContain("abcdefgh");
    });

    test("the environment is the turn's, and nothing that was not named", async () => {
      process.env["LOOPX_TODO_ID"] = "todo_outer";
      process.env["SECRET_OF_SOMEBODY"] = "s";
      try {
        const said = await mirrored({});
        expect(said.loopx).toEqual({
          LOOPX_GOAL_ID: names().goal_id,
          LOOPX_AGENT_ID: names().agent_id,
          LOOPX_TODO_ID: names().todo_id,
          LOOPX_TURN_ID: names().turn_id,
          LOOPX_RUNTIME_ROOT: join(root(), "run time"),
          LOOPX_REGISTRY: join(root(), ".loopx/registry.json"),
          LOOPX_TURN_RESULT_FILE: resultFile(),
          LOOPX_SESSION_MARKER: expect.stringMatching(/^m-/),
        });
        expect(said.names).not.toContain("SECRET_OF_SOMEBODY");
        expect(said.names).toContain("PATH");
        expect(said.cwd).toBe(workspace());
      } finally {
        delete process.env["LOOPX_TODO_ID"];
        delete process.env["SECRET_OF_SOMEBODY"];
      }
    });

    const HOSTILE = [
      "$(id)",
      "`id`",
      "; touch hacked",
      "a\nb",
      "-rf",
      "--",
      "two words",
      "'\"",
      "漢 🙂",
      "%PATH%",
      "*",
      "~",
      "A=b",
      "\\",
    ];

    test("hostile arguments come as they are", async () => {
      expect((await mirrored({ args: HOSTILE })).argv).toEqual(HOSTILE);
      expect(existsSync(join(workspace(), "hacked"))).toBe(false);
    });

    test.each(HOSTILE.map((text) => [text]))("%j in the name of every place is a name", async (text) => {
      const place = join(root(), text.replaceAll("/", "_"));
      mkdirSync(place);
      const where = {
        workspace: place,
        runtime_root: place,
        registry: join(place, text),
        result_file: join(place, text, "r.json"),
      };
      const said = await mirrored({ turn: { ...where, session_marker: "m-x" } });
      expect(said).toMatchObject({ cwd: place, loopx: { LOOPX_RUNTIME_ROOT: place, LOOPX_REGISTRY: where.registry } });
      expect(JSON.parse(readFileSync(where.result_file, "utf8"))).toMatchObject(RESULT);
    });

    async function mirrored(asked: Asked): Promise<{ argv: string[]; cwd: string; names: string[]; loopx: object }> {
      const texts: string[] = [];
      const onEvent = (event: HostEvent): void => {
        if (event.kind === "text") texts.push(event.text);
      };
      expect(await run("mirror", { ...asked, request: { onEvent } })).toMatchObject({ kind: "result", channel: "file" });
      return JSON.parse(texts[0] ?? "null");
    }
  });
}

function childIn(event: HostEvent): readonly number[] {
  const pid = event.kind === "text" ? /^child (\d+)$/.exec(event.text)?.[1] : undefined;
  return pid === undefined ? [] : [Number(pid)];
}
