/**
 * Several claimers at once, half of them commands and half requests to a server: each todo has one holder, everybody else is told
 * who it is; what a dead holder left is taken over in time, and its late writes are refused.
 */
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { facts } from "./look.ts";
import { answer, type Json, loopx, type Project, project, registryText, writeTo } from "./program.ts";
import { type Server, serve } from "./server.ts";

let of: Project;
let server: Server;

beforeEach(async () => {
  of = project();
  await answer(of, "refresh", "--all");
  server = await serve(of);
});

afterEach(async () => {
  await server.stop();
  of.remove();
});

interface Claimed {
  readonly agent: string;
  readonly by: "command" | "request";
  readonly won: boolean;
  readonly no: { readonly exit: number | null; readonly status: number | null } | null;
  readonly body: Json;
}

async function claimOverHttp(agent: string, more: object = {}): Promise<Claimed> {
  const { status, body } = await server.post("/goals/alpha/claim", { agent_id: agent, ...more });
  return { agent, by: "request", won: body.claimed === true, no: status === 200 ? null : { exit: null, status }, body };
}

async function claimByCommand(agent: string, ...more: readonly string[]): Promise<Claimed> {
  const { exit, stdout } = await loopx(of, "claim", "--goal-id", "alpha", "--agent-id", agent, ...more);
  const body: Json = JSON.parse(stdout);
  return { agent, by: "command", won: body.claimed === true, no: exit === 0 ? null : { exit, status: null }, body };
}

/** Requests begin while the commands start, so that they meet. */
async function claimers(count: number, todoId: string | null, most: number): Promise<readonly Claimed[]> {
  const named = todoId === null ? {} : { todo_id: todoId };
  const words = todoId === null ? [] : ["--todo-id", todoId];
  return await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      if (at % 2 === 0) return await claimByCommand(`c${at}`, ...words);
      await pause(Math.random() * most);
      return await claimOverHttp(`h${at}`, named);
    }),
  );
}

function holderOf({ body }: Claimed): string {
  return body.lease.owner;
}

/** Numbers of a todo's leases in the order of the journal. */
async function epochsOf(todoId: string): Promise<readonly number[]> {
  return (await facts(of)).flatMap((event) =>
    event.type === "lease.taken" && event.data.todo_id === todoId ? [event.data.epoch] : [],
  );
}

test("50 rounds of 8 claimers of one todo: one winner, seven refusals that name it", { timeout: 400_000 }, async () => {
  const winners = new Set<string>();
  let commandTakes = 300;
  for (let round = 0; round < 50; round += 1) {
    const begin = performance.now();
    const all = await claimers(8, "todo_ground", commandTakes);
    commandTakes = performance.now() - begin;
    const [winner, second] = all.filter(({ won }) => won);
    if (winner === undefined) throw new Error(`nobody won: ${JSON.stringify(all)}`);
    expect(second).toBeUndefined();
    winners.add(winner.by);
    expect(holderOf(winner)).toBe(winner.agent);
    const losers = all.filter(({ won }) => !won);
    expect(losers).toHaveLength(7);
    for (const { by, no, body } of losers) {
      expect([no?.exit, no?.status]).toEqual(by === "command" ? [4, null] : [null, 409]);
      expect(body).toMatchObject({ ok: false, code: "todo_lease_conflict", holder: winner.agent, retry: true });
    }
    const epoch: number = winner.body.lease.epoch;
    const freed = await server.post("/goals/alpha/todos/todo_ground/lease/release", {
      agent_id: winner.agent,
      lease_epoch: epoch,
    });
    expect(freed.status).toBe(200);
  }
  const epochs = await epochsOf("todo_ground");
  expect(epochs).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
  expect([...winners].sort()).toEqual(["command", "request"]);
});

test("6 workers and 4 todos: four different ones, and two answers that there is nothing", { timeout: 60_000 }, async () => {
  appendFileSync(of.stateFile(), "- [ ] Show it\n- [ ] Ship it\n");
  const all = await claimers(6, null, 300);
  expect(all.map(({ no }) => no)).toEqual(all.map(() => null));
  const won = all.filter((each) => each.won);
  expect(won.map(({ body }) => body.todo.text).sort()).toEqual(["Build the ground", "Ship it", "Show it", "Write it down"]);
  for (const { body } of all.filter((each) => !each.won)) {
    expect(body).toMatchObject({ ok: true, claimed: false, todo: null, lease: null });
    expect(body.decision.act).not.toBe("run");
  }
});

/** Claims with a command, then works until it is killed. */
const WORKER = `
  const { spawnSync } = require("node:child_process");
  const [program, ...args] = process.argv.slice(1);
  process.stdout.write(spawnSync(program, args).stdout);
  setInterval(() => {}, 1000);
`;

async function killedHolder(agent: string, ttlSeconds: number): Promise<Json> {
  const claim = [
    "claim",
    "--goal-id",
    "alpha",
    "--agent-id",
    agent,
    "--todo-id",
    "todo_ground",
    "--ttl-seconds",
    String(ttlSeconds),
  ];
  const worker = spawn(process.execPath, ["-e", WORKER, ...of.argv(...claim)], {
    cwd: of.folder,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const text = await new Promise<string>((resolve) => worker.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString())));
  const ended = new Promise((resolve) => worker.once("close", (_, signal) => resolve(signal)));
  worker.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
  return JSON.parse(text);
}

test("what a killed holder had is taken over when its lease is over and no later; it writes no more", {
  timeout: 60_000,
}, async () => {
  const { lease } = await killedHolder("gone", 1);
  const expires = Date.parse(lease.expires_at);
  let lastRefused = 0;
  for (;;) {
    const asked = Date.now();
    const tried = await claimOverHttp("next", { todo_id: "todo_ground" });
    if (tried.won) {
      expect(tried.body.lease.epoch).toBe(lease.epoch + 1);
      break;
    }
    expect(tried.body).toMatchObject({ code: "todo_lease_conflict", holder: "gone" });
    lastRefused = asked;
  }
  expect(lastRefused).toBeGreaterThan(0);
  expect(lastRefused - expires).toBeLessThanOrEqual(100);
  const took = (await facts(of)).findLast((event) => event.type === "lease.taken");
  expect(Date.parse(took?.at ?? "")).toBeGreaterThanOrEqual(expires);

  const late = { agent_id: "gone", todo_id: "todo_ground", lease_epoch: lease.epoch, no_follow_up: true, reason: "none" };
  const request = await server.post("/goals/alpha/done", late);
  expect([request.status, request.body.code, request.body.holder]).toEqual([409, "stale_epoch", "next"]);
  const words = ["--agent-id", "gone", "--todo-id", "todo_ground", "--lease-epoch", String(lease.epoch)];
  const command = await loopx(of, "done", "--goal-id", "alpha", ...words, "--no-follow-up", "--reason", "none");
  expect([command.exit, JSON.parse(command.stdout)]).toMatchObject([4, { ok: false, code: "stale_epoch", holder: "next" }]);
  expect((await facts(of)).filter((event) => event.type === "todo.closed")).toEqual([]);

  const given = { agent_id: "next", lease_epoch: lease.epoch + 1 };
  expect((await server.post("/goals/alpha/todos/todo_ground/lease/release", given)).status).toBe(200);
  const again = await claimByCommand("gone", "--todo-id", "todo_ground");
  expect(again.body.lease.epoch).toBe(lease.epoch + 2);
  expect(await epochsOf("todo_ground")).toEqual([1, 2, 3]);
});

test("two spenders and one slot: one", { timeout: 60_000 }, async () => {
  const quota = { quota: { allowed_slots: 1 } };
  const registry: Json = JSON.parse(registryText(["alpha"]));
  writeTo(
    of.registry,
    JSON.stringify({ ...registry, goals: registry.goals.map((goal: Json) => ({ ...goal, ...quota })) }, null, 2),
  );
  for (const agent of ["c0", "h1"]) {
    await answer(
      of,
      "refresh",
      "--goal-id",
      "alpha",
      "--agent-id",
      agent,
      "--turn-instance-id",
      `turn-${agent}`,
      "--classification",
      "progress",
      "--delivery-outcome",
      "outcome_progress",
    );
  }
  const [command, request] = await Promise.all([
    loopx(of, "quota", "spend-slot", "--goal-id", "alpha", "--agent-id", "c0", "--turn-instance-id", "turn-c0", "--execute"),
    pause(150).then(() => server.post("/goals/alpha/quota/spend-slot", { agent_id: "h1", turn_instance_id: "turn-h1" })),
  ]);
  const answers: readonly Json[] = [JSON.parse(command.stdout), request.body];
  expect(answers.filter((each) => each.appended === true)).toHaveLength(1);
  expect(answers.filter((each) => each.code === "over_quota")).toHaveLength(1);
  expect((await facts(of)).filter((event) => event.type === "turn.spent")).toHaveLength(1);
});
