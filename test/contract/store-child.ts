/** One process of the races: `<job> <root> <milliseconds at which to begin> [<name>]`. */
import { openStore } from "../../src/adapters/sqlite/store.ts";
import { goalId, nextAction, OPENED, record, request } from "./store-data.ts";

const [job = "", root = "", begin = "0", name = "g"] = process.argv.slice(2);
const store = await atThatTime();

async function atThatTime() {
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, Number(begin) - Date.now())));
  return await openStore({ runtime_root: root });
}

const JOBS: Readonly<Record<string, () => Promise<void>>> = {
  /** Opens a goal of its own. */
  open: async () => {
    await record(store, goalId(name), [OPENED]);
  },
  /** Says what it has recorded, each time after it was recorded, until it is killed. */
  forever: async () => {
    for (let turn = 0; ; turn += 1) {
      await record(store, goalId(name), [nextAction(`turn ${turn}`)]);
      process.stdout.write(`${(await store.load(request(goalId(name)))).head?.seq}\n`);
    }
  },
  /** Stops between begin and commit, with changes that are not committed. */
  hang: async () => {
    await store.exclusively(() => {
      process.stdout.write("holding\n");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
    });
  },
  /** Records 40 turns and says how long the longest took. */
  share: async () => {
    let longest = 0;
    for (let turn = 0; turn < 40; turn += 1) {
      const started = performance.now();
      await record(store, goalId("g"), [nextAction(`${name} ${turn}`)]);
      longest = Math.max(longest, performance.now() - started);
    }
    process.stdout.write(`${Math.round(longest)}\n`);
  },
};

await JOBS[job]?.();
await store.close();
