// A process that opens the product once and writes until its time is up or its number reached.
//
// Request: { product, project, goals, act, seconds | count, every } with `act` what is written ("run": a run is recorded; "pair": a todo
// claimed and finished by an agent of its own) and `every` the milliseconds from one start to the next (0: at once). Answer: { calls: [{ begun, done, pos, committed }], cpu } in nanoseconds of the machine's monotonic clock, which all
// processes share, and seconds of CPU of all calls.

const CLAIM = { instance: null, ttlSeconds: null, capabilities: [], writeScopes: [], idempotencyKey: null };
const DONE = {
  summary: "Moved.",
  next: ["Look at what was moved."],
  noFollowUp: false,
  reason: null,
  leaseEpoch: null,
  leaseKey: null,
  leaseVersion: null,
  slots: null,
  tokens: null,
  wallMs: null,
  noCache: false,
};

const request = JSON.parse(process.argv[2] ?? "{}");
const { compose, PLAIN_RUN } = await import(request.product);
const composed = compose({
  registry: null,
  runtimeRoot: null,
  cwd: request.project,
  env: process.env,
  log: { level: null, file: null, echo: null, correlation: `bench-${process.pid}` },
  progress: { report: () => {} },
});
const opened = await composed.workspace();
if (opened.kind !== "done") throw new Error(JSON.stringify(opened));

/** @type {{ pos: string | null, at: number }} */
let last = { pos: null, at: 0 };
const { store } = opened.value;
const { transact } = store;
store.transact = async (/** @type {unknown[]} */ ...args) => {
  const committed = await transact.apply(store, args);
  if (committed.pos !== null) last = { pos: committed.pos, at: now() };
  return committed;
};

/** Goals begin their journal before the clock runs. */
for (const goal of request.goals) await refresh(goal);
const act = request.act === "pair" ? pair : refresh;
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve).once("end", resolve));

const calls = [];
const cpuBefore = process.cpuUsage();
const began = now();
const until = request.seconds === undefined ? Number.POSITIVE_INFINITY : began + request.seconds * 1e9;
for (let call = 0; call < (request.count ?? Number.POSITIVE_INFINITY) && now() < until; call += 1) {
  const due = began + call * request.every * 1e6 - now();
  if (due > 0) await new Promise((resolve) => setTimeout(resolve, due / 1e6));
  const begun = now();
  await act(request.goals[call % request.goals.length], call);
  calls.push({ begun, done: now(), pos: last.pos, committed: last.at });
}
const used = process.cpuUsage(cpuBefore);
await composed.close();
process.stdout.write(JSON.stringify({ calls, cpu: (used.user + used.system) / 1e6 }));
process.stdin.destroy();

/** @param {string} goalId */
async function refresh(goalId) {
  const answer = await composed.app.refresh({ ...PLAIN_RUN, goalId });
  if (answer.kind !== "done") throw new Error(JSON.stringify(answer));
}

/**
 * @param {string} goalId
 * @param {number} call
 */
async function pair(goalId, call) {
  const turn = {
    goalId,
    agentId: `bench-${process.pid}`,
    todoId: null,
    turnInstanceId: `turn-${process.pid}-${call}`,
    dryRun: false,
  };
  const claimed = await composed.app.claim({ ...CLAIM, ...turn });
  if (claimed.kind !== "done" || claimed.value.lease === null) throw new Error(JSON.stringify(claimed));
  const finished = await composed.app.done({ ...DONE, ...turn, leaseEpoch: claimed.value.lease.epoch });
  if (finished.kind !== "done") throw new Error(JSON.stringify(finished));
}

function now() {
  return Number(process.hrtime.bigint());
}
