// A process that opens the product once and records runs until its time is up or its number reached.
//
// Request: { product, project, goals, seconds | count, every } with `every` the milliseconds from one start to the next (0: at
// once). Answer: { calls: [{ begun, done, pos, committed }], cpu } in nanoseconds of the machine's monotonic clock, which all
// processes share, and seconds of CPU of all calls.

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
  await refresh(request.goals[call % request.goals.length]);
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

function now() {
  return Number(process.hrtime.bigint());
}
