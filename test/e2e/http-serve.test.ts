import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PLAIN_RUN } from "../../src/commands/plain-run.ts";
import { compose } from "../../src/compose.ts";
import { ROUTES } from "../../src/schema/http/routes.ts";
import { frames, routeOf } from "../../src/surfaces/http/http.sample.ts";
import { serve } from "../../src/surfaces/http/main.ts";

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
  const registry = { version: 1, common_runtime_root: join(root, ".loopx/runtime"), goals: [goal] };
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
  const payload = await new Promise<object>((resolve, reject) => {
    served = serve(request, { settings: settings(), interrupted: stop.signal, show: async (shown) => resolve(shown.payload) });
    served.then((reply) => reject(new Error(JSON.stringify(reply))), reject);
  });
  url = (payload as { readonly url: string }).url;
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
