// Teams as people launch them: the real command line, real processes, workers that do what a test tells them to.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { processesWith, TeamProject } from "../fakes/team-program.ts";

let project: TeamProject;
beforeEach(async () => {
  project = await TeamProject.make();
});
afterEach(() => project.remove());

function session(): Record<string, unknown> & { marker: string; exit: number; pid: number } {
  return JSON.parse(readFileSync(join(project.root, "launcher/team/supervisor.json"), "utf8"));
}

test("four workers take their turns and the team ends with 0", async () => {
  const team = project.launch({ "*": ["work:2"] }, "--agents=4", "--max-turns=2");
  expect(await team.ended).toBe(0);
  expect([...project.left("turns")].sort()).toEqual(
    [1, 2, 3, 4].flatMap((agent) => [1, 2].map((turn) => `agent-${agent}/${turn}`)),
  );
  expect(team.lines.at(-1)).toMatchObject({ ok: true, event: "over", outcome: "clean" });
  expect(session()).toMatchObject({ status: "ended", exit: 0, spec: { agents: ["agent-1", "agent-2", "agent-3", "agent-4"] } });
  expect(processesWith(session().marker)).toEqual([]);
  expect(statSync(join(project.root, "launcher/team/events.jsonl")).mode & 0o777).toBe(0o600);
}, 30_000);
