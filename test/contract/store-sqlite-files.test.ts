/** What stands on the disk: formats, modes, read-only places, and files that are no store. */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { copyFiles } from "../../src/adapters/sqlite/copy.ts";
import { openEngine } from "../../src/adapters/sqlite/engine.ts";
import { FORMAT, formatOf } from "../../src/adapters/sqlite/format.ts";
import { migrate } from "../../src/adapters/sqlite/migrations.ts";
import { standIn } from "../../src/adapters/sqlite/stand-in.ts";
import { openStore } from "../../src/adapters/sqlite/store.ts";
import { goalId, nextAction, OPENED, record, request } from "./store-data.ts";

const G = goalId("g");
let folder = "";
let root = "";
let path = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopx-files-"));
  root = join(folder, "deep", "root");
  path = join(root, "loopx.db");
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A store with one goal that no connection has open, without a log beside it. */
async function written(): Promise<void> {
  const store = await openStore({ runtime_root: join(folder, "first") });
  await record(store, G, [OPENED]);
  mkdirSync(root, { recursive: true });
  await store.copyTo(path);
  await store.close();
}

function sql(text: string): void {
  const database = openEngine().open(path);
  database.exec(text);
  database.close();
}

describe("the file", () => {
  it("is private, its folder is not", async () => {
    const store = await openStore({ runtime_root: root });
    await record(store, G, [OPENED]);
    for (const name of readdirSync(root)) expect(statSync(join(root, name)).mode & 0o777).toBe(0o600);
    expect(statSync(root).mode & 0o777).toBe(0o755);
    await store.close();
  });

  it("keeps its identity and its content from one opening to the next", async () => {
    const first = await openStore({ runtime_root: root });
    await record(first, G, [OPENED]);
    const { store_id } = first.facts();
    await first.close();
    const second = await openStore({ runtime_root: root });
    expect(second.facts().store_id).toBe(store_id);
    expect((await second.load(request(G))).head?.seq).toBe(1);
    await second.close();
  });

  it("F3 is refused for reading and writing when its format is newer", async () => {
    await written();
    sql(`pragma user_version = ${FORMAT + 1}`);
    for (const access of ["read_write", "read_only"] as const) {
      await expect(openStore({ runtime_root: root, access })).rejects.toMatchObject({ code: "store_newer", retry: false });
    }
    sql(`pragma user_version = ${FORMAT}`);
    const store = await openStore({ runtime_root: root });
    expect((await store.load(request(G))).head?.seq).toBe(1);
    await store.close();
  });

  it("F3 is refused when another program wrote it, and stays as it was", async () => {
    mkdirSync(root, { recursive: true });
    sql("create table theirs (x); insert into theirs values (1)");
    const before = statSync(path).mtimeMs;
    await expect(openStore({ runtime_root: root })).rejects.toMatchObject({ code: "store_damaged" });
    expect(statSync(path).mtimeMs).toBe(before);
  });

  it.each(["no database at all, but longer than a header".repeat(200), "short"])(
    "is a damaged store when it holds %#",
    async (text) => {
      mkdirSync(root, { recursive: true });
      writeFileSync(path, text);
      await expect(openStore({ runtime_root: root })).rejects.toMatchObject({
        code: "store_damaged",
        hint: expect.stringContaining("loopx doctor"),
      });
    },
  );

  it("is a damaged store when pages are missing", async () => {
    await written();
    truncateSync(path, 8192);
    const problems = openStore({ runtime_root: root }).then(async (store) => {
      try {
        return await store.load(request(G));
      } finally {
        await store.close();
      }
    });
    await expect(problems).rejects.toMatchObject({ code: "store_damaged" });
  });

  it("has its damaged pages named by the check", async () => {
    await written();
    const database = openEngine().openReadOnly(path);
    const page = Number(database.prepare("select rootpage from sqlite_schema where name = 'events'").get()?.["rootpage"]);
    const size = Number(database.prepare("pragma page_size").get()?.["page_size"]);
    database.close();
    const file = openSync(path, "r+");
    writeSync(file, Buffer.alloc(64, 0xff), 0, 64, (page - 1) * size);
    closeSync(file);
    const store = await openStore({ runtime_root: root });
    const problems = await store.integrityProblems();
    await store.close();
    expect(problems.length).toBeGreaterThan(0);
  });

  it("is never reached through a symlink, and never a folder", async () => {
    mkdirSync(root, { recursive: true });
    symlinkSync(join(folder, "elsewhere.db"), path);
    await expect(openStore({ runtime_root: root })).rejects.toMatchObject({ code: "store_unopenable" });
    expect(existsSync(join(folder, "elsewhere.db"))).toBe(false);
    rmSync(path);
    mkdirSync(path);
    await expect(openStore({ runtime_root: root })).rejects.toMatchObject({ code: "store_unopenable" });
  });

  it("is not created where a plain file stands in place of the folder", async () => {
    writeFileSync(join(folder, "deep"), "");
    await expect(openStore({ runtime_root: root })).rejects.toMatchObject({ code: "store_unopenable" });
  });

  it("has a log that is emptied on closing once it is long", async () => {
    const store = await openStore({ runtime_root: root });
    await record(store, G, [
      OPENED,
      ...Array.from({ length: 900 }, (_, index) => nextAction(`step ${index} ${"x".repeat(200)}`)),
    ]);
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(131_072);
    await store.close();
    expect(lstatSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });

  it("shows holes, stale heads and missing heads to the check", async () => {
    const store = await openStore({ runtime_root: root });
    await record(store, G, [OPENED, nextAction("a"), nextAction("b")]);
    await record(store, goalId("h"), [OPENED, nextAction("a")]);
    await record(store, goalId("i"), [OPENED]);
    await store.close();
    sql(`delete from events where goal_id = 'g' and seq = 2;
         update goals set seq = 9 where goal_id = 'h';
         delete from goals where goal_id = 'i'`);
    const again = await openStore({ runtime_root: root });
    const problems = await again.integrityProblems();
    await again.close();
    expect(problems).toHaveLength(3);
    for (const [place, id] of ["g/1", "h", "i"].entries()) expect(problems[place]).toContain(id);
  });
});

describe("waiting", () => {
  it("ends at its bound with the store as it was", async () => {
    await written();
    const store = await openStore({ runtime_root: root, longest_wait: 50 });
    const holder = openEngine().open(path);
    holder.exec("begin immediate");
    await expect(record(store, G, [nextAction("x")])).rejects.toMatchObject({ code: "store_busy", retry: true });
    expect(await store.saveMirroredSeq(G, 1, 1)).toBe(false);
    expect((await store.load(request(G))).head?.seq).toBe(1);
    holder.exec("rollback");
    holder.close();
    await record(store, G, [nextAction("x")]);
    await store.close();
  });
});

describe("a place that cannot be written", () => {
  const reads = async (): Promise<readonly [seq: number | undefined, access: string]> => {
    const store = await openStore({ runtime_root: root, access: "read_only" });
    const head = (await store.load(request(G))).head;
    const { access } = store.facts();
    await store.close();
    return [head?.seq, access];
  };

  it("has an empty store in memory where there is none, and nothing is created", async () => {
    expect(await reads()).toEqual([undefined, "read_only"]);
    expect(existsSync(root)).toBe(false);
  });

  it("O2 is read in its place when no log lies beside it", async () => {
    await written();
    const before = readdirSync(root);
    const source = await standIn(openEngine(), { path, bound: 1000 });
    const sql = await source.current();
    expect(sql.row("select seq from goals")).toEqual({ seq: 1 });
    expect(readdirSync(root)).toEqual(before);
    expect(() => sql.exec("delete from goals")).toThrow(Error);
    source.close();
  });

  it("O2, O3 is read with its log from a copy, anew when it has changed", async () => {
    const store = await openStore({ runtime_root: root });
    await record(store, G, [OPENED]);
    const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith("loopx-") && name.length === 12);
    const before = copies();
    const source = await standIn(openEngine(), { path, bound: 1000 });
    expect((await source.current()).row("select seq from goals")).toEqual({ seq: 1 });
    await record(store, G, [nextAction("x")]);
    expect((await source.current()).row("select seq from goals")).toEqual({ seq: 2 });
    expect(source.replacements).toBe(1);
    source.close();
    await store.close();
    expect(copies()).toEqual(before);
  });

  it("O3 shows a store that came later", async () => {
    const source = await standIn(openEngine(), { path, bound: 1000 });
    expect((await source.current()).row("select seq from goals")).toBeUndefined();
    await written();
    expect((await source.current()).row("select seq from goals")).toEqual({ seq: 1 });
    source.close();
  });

  it("has a private copy that is removed", async () => {
    await written();
    const copy = copyFiles(path);
    expect(lstatSync(copy.path).mode & 0o777).toBe(0o600);
    expect(statSync(join(copy.path, "..")).mode & 0o777).toBe(0o700);
    copy.remove();
    expect(existsSync(join(copy.path, ".."))).toBe(false);
  });

  it("is found by its mode, where modes hold for this user", async () => {
    await written();
    chmodSync(path, 0o400);
    chmodSync(root, 0o500);
    const store = await openStore({ runtime_root: root });
    expect((await store.load(request(G))).head?.seq).toBe(1);
    expect(store.facts().access).toBe(process.getuid?.() === 0 ? "read_write" : "read_only");
    await store.close();
    chmodSync(root, 0o700);
  });
});

describe("migration", () => {
  it("F2 does nothing to a store that has the format already", async () => {
    await written();
    const copy = join(folder, "copy.db");
    copyFileSync(path, copy);
    const database = openEngine().open(copy);
    await migrate(database, { path: copy, bound: 1000 });
    expect(formatOf(database, copy)).toBe(FORMAT);
    database.close();
  });
});
