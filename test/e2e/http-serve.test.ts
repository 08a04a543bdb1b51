import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PLAIN_RUN } from "../../src/commands/plain-run.ts";
import { compose } from "../../src/compose.ts";
import { outwardOf } from "../../src/errors.ts";
import { ROUTES } from "../../src/schema/http/routes.ts";
import { noAsPayload, noOf } from "../../src/surfaces/cli/no.ts";
import { frames, routeOf } from "../../src/surfaces/http/http.sample.ts";
import { type Serving, serve } from "../../src/surfaces/http/main.ts";

const STATE = `# Garden

## Objective

Grow tomatoes.

## Next Action

- Water the tomatoes

## Agent Todo

- [ ] Water the tomatoes

## User Todo

- [ ] Choose the seeds
`;

let root = "";
let url = "";
let token = "";
let banner = "";
let payload: Readonly<Record<string, unknown>> = {};
let end: () => Promise<void> = async () => undefined;

function settings() {
  return {
    registry: null,
    runtimeRoot: null,
    cwd: root,
    env: { HOME: root },
    log: { level: null, file: null, echo: null, correlation: "test" },
    progress: { report: () => undefined },
  };
}

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "loopx-http-")));
  mkdirSync(join(root, ".loopx"));
  writeFileSync(join(root, "GARDEN.md"), STATE);
  const goal = { id: "garden", repo: root, state_file: "GARDEN.md", status: "active" };
  const registry = { common_runtime_root: join(root, ".loopx/runtime"), goals: [goal] };
  writeFileSync(join(root, ".loopx/registry.json"), JSON.stringify(registry, null, 2));
  const stop = new AbortController();
  const request = {
    host: "localhost",
    port: 0,
    path: null,
    intervalSeconds: 5,
    globalRegistry: false,
    requireToken: false,
    allowHosts: [],
  };
  let served: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    const show: Serving["show"] = async (shown) => {
      payload = { ...shown.payload };
      banner = shown.markdown();
      resolve();
    };
    served = serve(request, { settings: settings(), interrupted: stop.signal, show });
    served.then((reply) => reject(new Error(JSON.stringify(reply))), reject);
  });
  url = String(payload["url"]);
  token = readFileSync(join(root, ".loopx/runtime/serve-token"), "utf8").trim();
  end = async () => {
    stop.abort();
    expect(await served).toEqual({ kind: "done", value: null });
    rmSync(root, { recursive: true, force: true });
  };
});

afterEach(async () => await end());

async function refresh(): Promise<void> {
  const composed = compose(settings());
  const reply = await composed.app.refresh({
    ...PLAIN_RUN,
    goalId: "garden",
    recommendedAction: "Water the tomatoes",
  });
  await composed.close();
  expect(reply.kind).toBe("done");
}

describe("a real project, served", () => {
  it("answers every route as its schema says, also after a run", async () => {
    await refresh();
    const targets = [
      "/",
      "/status",
      "/status?goal_id=garden",
      "/status.json?fields=goal_id,next_action&limit=5",
      "/status?all",
      "/goals",
      "/goals/garden",
      "/goals/garden/history",
      "/drift",
      "/healthz",
      "/openapi.json",
    ];
    for (const target of targets) {
      const response = await fetch(`${url}${target}`);
      const { error } = routeOf(target).answer.safeParse(await response.json());
      expect([target, response.status, error]).toEqual([target, 200, undefined]);
    }
    expect((await fetch(`${url}/goals/gardn`)).status).toBe(404);
  });

  it("shows a run of another process in the next answer, and tells its listeners", async () => {
    const count = async () => ((await (await fetch(`${url}/status`)).json()) as { readonly run_count: number }).run_count;
    expect(await count()).toBe(0);
    const stream = frames(await fetch(`${url}/events`));
    await refresh();
    expect(await count()).toBe(1);
    let frame = await stream.next();
    while (!frame.includes("event: run.recorded")) frame = await stream.next();
    const { error } = ROUTES.events.answer.safeParse(JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? ""));
    expect(error).toBeUndefined();
    await stream.cancel();
  });

  it("shows an edit of the state file in the next answer about the goal, and soon in the page", async () => {
    await (await fetch(`${url}/status`)).text();
    const file = join(root, "GARDEN.md");
    writeFileSync(file, readFileSync(file, "utf8").replace("- Water the tomatoes", "- Water the roses"));
    expect(await (await fetch(`${url}/goals/garden`)).text()).toContain("Water the roses");
    const page = async () => (await (await fetch(`${url}/status`)).text()).includes("Water the roses");
    await expect.poll(page, { timeout: 2000, interval: 50 }).toBe(true);
  });
});

async function post(path: string, body: object, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}`, ...more };
  return await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

describe("writes to a real project", () => {
  it("need the token that people are shown and programs are told the place of", async () => {
    expect(banner.split("\n")[0]).toBe(`Serving ${url}/#${token} until it is stopped (Ctrl-C).`);
    expect(payload).toMatchObject({ ok: true, token_file: join(root, ".loopx/runtime/serve-token") });
    expect(JSON.stringify(payload)).not.toContain(token);
    expect(statSync(join(root, ".loopx/runtime/serve-token")).mode & 0o777).toBe(0o600);
    const refused = await post("/goals/garden/stop", {}, { authorization: "Bearer wrong" });
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  });

  it("record a run once, show it in the next answer, and tell the listeners", async () => {
    const page = async () => {
      const response = await fetch(`${url}/status`);
      return { etag: response.headers.get("etag"), ...((await response.json()) as { readonly run_count: number }) };
    };
    const before = await page();
    const stream = frames(await fetch(`${url}/events`));
    const run = { classification: "progress", next_action: "Water the roses" };
    const first = await post("/goals/garden/refresh", run, { "idempotency-key": "turn/1" });
    expect([first.status, await first.json()]).toEqual([
      200,
      expect.objectContaining({ ok: true, appended: true, idempotent_replay: false, turn_instance_id: "turn/1" }),
    ]);
    const after = await page();
    expect([before.run_count, after.run_count]).toEqual([0, 1]);
    expect(after.etag).not.toBe(before.etag);
    let frame = await stream.next();
    while (!frame.includes("event: run.recorded")) frame = await stream.next();
    await stream.cancel();
    expect(readFileSync(join(root, "GARDEN.md"), "utf8")).toContain("- Water the roses");
    const again = await post("/goals/garden/refresh", run, { "idempotency-key": "turn/1" });
    expect(await again.json()).toMatchObject({ ok: true, appended: false, idempotent_replay: true });
    expect((await page()).run_count).toBe(1);
  });

  it("stop and resume a goal, add one, and repair drift, each visible at once", async () => {
    const activation = async () =>
      ((await (await fetch(`${url}/goals/garden`)).json()) as { goal: { activation: unknown } }).goal.activation;
    const running = await activation();
    expect(await (await post("/goals/garden/stop", { reason: "winter" })).json()).toMatchObject({
      activation: "stopped",
      changed: true,
    });
    expect(await activation()).not.toEqual(running);
    expect(await (await post("/goals/garden/resume", {})).json()).toMatchObject({ activation: "active", changed: true });
    expect(await (await post("/goals/garden/resume", {})).json()).toMatchObject({ activation: "active", changed: false });
    const added = await post("/goals", { goal_id: "pond", objective: "Dig a pond." });
    expect([added.status, await added.json()]).toEqual([200, expect.objectContaining({ goal_id: "pond", changed: true })]);
    expect(await (await fetch(`${url}/status`)).json()).toMatchObject({ goal_count: 2 });
    rmSync(join(root, ".codex/goals/pond/ACTIVE_GOAL_STATE.md"));
    const rehearsed = await post("/drift/fix", { goal_id: "pond", dry_run: true });
    expect(await rehearsed.json()).toMatchObject({
      dry_run: true,
      fixed: [{ kind: "state_file_missing", outcome: "would_fix" }],
    });
    const fixed = await post("/drift/fix", { goal_id: "pond" });
    expect(await fixed.json()).toMatchObject({ dry_run: false, fixed: [{ kind: "state_file_missing", outcome: "fixed" }] });
    expect(statSync(join(root, ".codex/goals/pond/ACTIVE_GOAL_STATE.md")).isFile()).toBe(true);
  });

  it("say no as the command does", async () => {
    await post("/goals/garden/stop", { reason: "winter" });
    const composed = compose(settings());
    const requests = [
      { goalId: "garden", body: {} },
      { goalId: "gardn", body: {} },
      { goalId: "garden", body: { agent_lane: "lane" } },
      { goalId: "garden", body: { state_file: "../elsewhere.md" } },
    ] as const;
    for (const { goalId, body } of requests) {
      const more = {
        agentLane: null,
        stateFile: null,
        ...("agent_lane" in body && { agentLane: body.agent_lane }),
        ...("state_file" in body && { stateFile: body.state_file }),
      };
      const reply = await composed.app.refresh({ ...PLAIN_RUN, goalId, ...more });
      if (reply.kind === "done") throw new Error("It is a no.");
      const answer = await post(`/goals/${goalId}/refresh`, body);
      expect([answer.status, await answer.json()]).toEqual([outwardOf(reply).http, noAsPayload(noOf(reply))]);
    }
    await composed.close();
  });

  it("from many at once are all done, and none is lost", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => post("/goals/garden/refresh", {}, { "idempotency-key": `t${at % 10}` })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const page = (await (await fetch(`${url}/status`)).json()) as { readonly run_count: number };
    expect(page.run_count).toBe(10);
  });
});
