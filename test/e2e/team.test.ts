// Teams as people launch them: the real command line, real processes, workers that do what a test tells them to.
import { readFileSync, rmSync, statSync } from "node:fs";
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

test("a killed supervisor leaves no process of its team behind", async () => {
  const team = project.launch({ "*": ["host"] }, "--agents=2");
  await team.line(({ event, agent_id }) => event === "turn_started" && agent_id === "agent-1");
  await team.line(({ event, agent_id }) => event === "turn_started" && agent_id === "agent-2");
  const { marker } = session();
  expect(processesWith(marker).length).toBeGreaterThanOrEqual(4);
  team.child.kill("SIGKILL");
  await team.ended;
  await expect.poll(() => processesWith(marker), { timeout: 10_000 }).toEqual([]);
  expect(JSON.parse(project.run("agents", "status", "--json").out)).toMatchObject({ ok: true, standing: "dead" });
  expect(project.run("agents", "status").out).toMatch(/ per core; dead\.\n/);
  expect(JSON.parse(project.run("agents", "stop", "--json").out)).toMatchObject({ how: "swept", swept: 0 });
  const settled = JSON.parse(project.run("agents", "status", "--json").out);
  expect(settled).toMatchObject({
    standing: "ended",
    agents: [
      { state: "failed", pid: null },
      { state: "failed", pid: null },
    ],
  });
  const woken = JSON.parse(project.run("agents", "wake", "--json").out);
  expect(woken).toMatchObject({ code: "session_not_running" });
  expect(woken.fix).toMatch(/^loopx launch --agents=2 /);
}, 30_000);

test("what a killed supervisor left running is ended before the next one starts anything", async () => {
  const team = project.launch({ "*": ["deaf"] }, "--agents=1");
  await team.line(({ event }) => event === "idle");
  const { marker } = session();
  team.child.kill("SIGKILL");
  await team.ended;
  expect(processesWith(marker)).toHaveLength(1);
  const next = project.launch({ "*": ["work:1"] }, "--agents=1", "--max-turns=1");
  expect(await next.ended).toBe(0);
  expect(processesWith(marker)).toEqual([]);
  const events = readFileSync(join(project.root, "launcher/team/events.jsonl"), "utf8");
  expect(events).toContain('"event":"leftovers_ended"');
}, 30_000);

test("a killed worker comes back, and its host does not go on without it", async () => {
  const team = project.launch(
    { "*": ["host", "work:1"] },
    "--agents=1",
    "--max-turns=1",
    "--backoff-min=0.01",
    "--backoff-max=0.05",
  );
  const { pid } = await team.line(({ event }) => event === "started");
  await team.line(({ event }) => event === "turn_started");
  process.kill(Number(pid), "SIGKILL");
  const restarting = await team.line(({ event }) => event === "restarting");
  expect(restarting).toMatchObject({ agent_id: "agent-1", why: "backoff", message: "The worker was ended by SIGKILL." });
  const host = Number(project.left("hosts")[0]?.split(" ")[1]);
  expect(processesWith(session().marker)).not.toContain(host);
  expect(await team.ended).toBe(0);
  expect(team.lines.at(-1)).toMatchObject({ outcome: "clean", agents: [{ turns: 1, restarts: 1, state: "clean" }] });
}, 30_000);

test("a worker that cannot begin is given up after its restarts: exit 4", async () => {
  const team = project.launch({ "*": ["crash"] }, "--agents=1", "--max-restarts=2", "--backoff-min=0.01", "--backoff-max=0.02");
  expect(await team.ended).toBe(4);
  expect(project.left("starts")).toHaveLength(3);
  expect(team.lines.at(-1)).toMatchObject({ ok: false, outcome: "breaker", agents: [{ state: "failed", restarts: 2 }] });
  expect(session()).toMatchObject({ exit: 4, attention: [{ agent_id: "agent-1", code: "crash_loop" }] });
}, 30_000);

test("hosts that always fail trip the breaker of the team", async () => {
  const team = project.launch({ "*": ["fail"] }, "--agents=3", "--max-restarts=4", "--backoff-min=0.01", "--backoff-max=0.02");
  expect(await team.ended).toBe(4);
  expect(team.lines.filter(({ event }) => event === "breaker_tripped")).toHaveLength(1);
  expect(processesWith(session().marker)).toEqual([]);
}, 30_000);

test("only a person can help one worker: the others go on, exit 3, and the cause is told", async () => {
  const team = project.launch({ "agent-1": ["fatal"], "*": ["work:1"] }, "--agents=2", "--max-turns=1");
  expect(await team.ended).toBe(3);
  expect(team.lines.at(-1)).toMatchObject({
    outcome: "fatal",
    agents: [
      { state: "fatal", restarts: 0 },
      { state: "clean", turns: 1 },
    ],
  });
  expect(project.left("starts")).toHaveLength(2);
  expect(project.run("agents", "status").out).toContain("There is no program claude.");
}, 30_000);

test("a rate limit is one pause of the whole team", async () => {
  const team = project.launch({ "agent-1": ["rate"], "agent-2": ["rate"], "*": ["idle"] }, "--agents=4");
  const limited = await team.line(({ event }) => event === "rate_limited");
  await team.line(({ event, agent_id, why }) => event === "held_back" && agent_id === "agent-4" && why === "rate_limited");
  expect(Date.parse(String(limited["until"])) - Date.now()).toBeGreaterThan(3_000_000);
  expect(JSON.parse(project.run("agents", "stop", "--json").out)).toMatchObject({ ok: true, how: "told" });
  expect(await team.ended).toBe(0);
  expect(team.lines.filter(({ event }) => event === "rate_limited")).toHaveLength(1);
}, 30_000);

test("a second supervisor of the session refuses; another session runs beside it", async () => {
  const team = project.launch({ "*": ["idle"] }, "--agents=1");
  await team.line(({ event }) => event === "idle");
  const second = project.launch({ "*": ["idle"] }, "--agents=1");
  expect(await second.ended).toBe(4);
  expect(project.left("starts")).toHaveLength(1);
  const refused = project.run("launch", "--agents=1", "--json");
  expect(JSON.parse(refused.out)).toMatchObject({ ok: false, code: "session_running" });
  const other = project.launch({ "*": ["work:1"] }, "--agents=1", "--max-turns=1", "--session=other");
  expect(await other.ended).toBe(0);
  team.child.kill("SIGTERM");
  expect(await team.ended).toBe(143);
}, 30_000);

test("a record whose process number somebody else has now holds nothing", async () => {
  const identity = { pid: process.pid, started: "1", boot_id: "another boot" };
  project.write(".loopx/runtime/launcher/team/holder-1.json", JSON.stringify(identity));
  const team = project.launch({ "*": ["work:1"] }, "--agents=1", "--max-turns=1");
  expect(await team.ended).toBe(0);
}, 30_000);

test("the first signal lets turns finish, the second does not", async () => {
  const team = project.launch({ "agent-1": ["work:3"], "*": ["host"] }, "--agents=2");
  await team.line(({ event, agent_id }) => event === "turn_started" && agent_id === "agent-2");
  team.child.kill("SIGINT");
  await team.line(({ event }) => event === "draining");
  await expect.poll(() => project.left("orders").some((line) => line.includes("drain")), { timeout: 10_000 }).toBe(true);
  team.child.kill("SIGINT");
  expect(await team.ended).toBe(130);
  expect(processesWith(session().marker)).toEqual([]);
}, 30_000);

test("a worker that does not listen is killed when its time is up", async () => {
  const team = project.launch({ "*": ["deaf"] }, "--agents=1", "--grace=0.1");
  await team.line(({ event }) => event === "idle");
  const begun = Date.now();
  team.child.kill("SIGTERM");
  expect(await team.ended).toBe(143);
  expect(Date.now() - begun).toBeLessThan(20_000);
  expect(processesWith(session().marker)).toEqual([]);
}, 40_000);

test("a runtime root with spaces, quotes and letters of other scripts", async () => {
  project.remove();
  project = await TeamProject.make({ root: "run time/ü 漢 'x' $(id); --" });
  const team = project.launch({ "*": ["work:1"] }, "--agent=a:b.c@d", "--max-turns=1");
  expect(await team.ended).toBe(0);
  expect(project.left("turns")).toEqual(["a:b.c@d/1"]);
  expect(project.run("agents", "status").status).toBe(0);
}, 30_000);

test("a workspace that is gone is refused before anything starts", () => {
  const gone = project.run("launch", "--agents=1", "--workspace=gone", "--json");
  expect(gone.status).toBe(1);
  expect(JSON.parse(gone.out)).toMatchObject({ ok: false, code: "workspace_missing" });
  expect(project.left("starts")).toEqual([]);
}, 30_000);

const HOSTILE = ["$(id)", "; id", "a\nb", "-rf", "--session=x", "..", "a/b", "`id`"];

test.each([
  ["agent", "agent_id_invalid"],
  ["session", "session_invalid"],
  ["host", "host_unknown"],
  ["host-command-json", "run_invalid"],
  ["validation-command-json", "run_invalid"],
  ["idle-exit", "option_value_invalid"],
])(
  "hostile values of --%s are refused or harmless",
  (name) => {
    const rest = name === "agent" ? [] : ["--agents=1"];
    for (const value of HOSTILE) {
      const { status, out } = project.run("launch", "--dry-run", "--json", ...rest, `--${name}=${value}`);
      const answer = JSON.parse(out);
      if (answer.ok) expect(`${answer.spec.agents[0]}`).toMatch(/^[a-z][a-z0-9_.:@-]*$/);
      else expect([2, 3]).toContain(status);
    }
  },
  60_000,
);

test("a rehearsal creates nothing", () => {
  rmSync(project.root, { recursive: true, force: true });
  const { status, out } = project.run("launch", "--agents=4", "--dry-run");
  expect(status).toBe(0);
  expect(out.trimEnd().split("\n").length).toBeLessThanOrEqual(10);
  expect(() => statSync(project.root)).toThrow("ENOENT");
}, 30_000);

test("goals and agents are looked at before anything starts", async () => {
  project.remove();
  project = await TeamProject.make({ registry: { coordination: { registered_agents: ["alice"] } } });
  const strange = JSON.parse(project.run("launch", "--agents=1", "--json").out);
  expect(strange).toMatchObject({ code: "agents_not_registered", fix: "loopx agent add --goal-id alpha --agent-id agent-1" });
  expect(JSON.parse(project.run("launch", "--agents=1", "--goal-id=alpah", "--json").out)).toMatchObject({
    code: "unknown_goal",
  });
  const team = project.launch({ "*": ["work:1"] }, "--agents=1", "--max-turns=1", "--register");
  expect(await team.ended).toBe(0);
  expect(readFileSync(join(project.folder, ".loopx/registry.json"), "utf8")).toContain('"agent-1"');
}, 30_000);

test("a detached team: status, logs, wake, stop", async () => {
  const script = { "agent-1": ["idle"], "agent-2": ["fatal", "idle"] };
  const started = project.runWith(script, "launch", "--agents=2", "--detach", "--json");
  expect([started.status, started.err]).toEqual([0, ""]);
  const { pid } = JSON.parse(started.out);
  const status = (): { standing: string; agents: { state: string }[] } =>
    JSON.parse(project.run("agents", "status", "--json").out);
  await expect.poll(() => status().agents.map(({ state }) => state), { timeout: 15_000 }).toEqual(["idle", "fatal"]);
  expect(status()).toMatchObject({ ok: true, standing: "running", session: { pid } });
  expect(project.run("agents", "logs").status).toBe(0);
  expect(project.run("agents", "wake", "agent-2").status).toBe(0);
  await expect.poll(() => status().agents.map(({ state }) => state), { timeout: 15_000 }).toEqual(["idle", "idle"]);
  expect(JSON.parse(project.run("agents", "stop", "--json").out)).toMatchObject({ how: "told" });
  await expect.poll(() => status().standing, { timeout: 15_000 }).toBe("ended");
  expect(processesWith(session().marker)).toEqual([]);
  expect(JSON.parse(project.run("agents", "stop", "--json").out)).toMatchObject({ how: "not_running" });
}, 60_000);
