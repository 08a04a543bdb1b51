import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mountOf, systemMachine } from "./machine.ts";

const machine = systemMachine({ NODE_EXTRA_CA_CERTS: "/ca.pem" });
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loopx-machine-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const TABLE = [
  "22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw",
  "30 22 0:40 / /data rw,noatime shared:2 - xfs /dev/vdb rw",
  "31 30 0:41 / /data/my\\040disk rw - fuse.sshfs host:/ rw",
  "32 30 0:42 / /data/my\\040disk ro,nosuid - tmpfs tmpfs rw",
  "not a mount",
  "",
].join("\n");

test.each([
  ["/elsewhere", "/", "ext4", "relatime"],
  ["/data", "/data", "xfs", "noatime"],
  ["/database", "/", "ext4", "relatime"],
  ["/data/my disk/deep", "/data/my disk", "tmpfs", "ro"],
])("%s lies on %s", (path, mount_point, kind, option) => {
  expect(mountOf(path, TABLE)).toMatchObject({ mount_point, kind, options: expect.arrayContaining([option]) });
});

test("without a table nothing is known", () => {
  expect(mountOf("/", "")).toBeNull();
});

test("a path that is not there lies on the device of the folder above it", () => {
  expect(machine.deviceOf(join(folder, "not/there"))).toBe(machine.deviceOf(folder));
  expect(machine.deviceOf(folder)).toMatch(/^\d+$/);
  expect(machine.freeBytes(join(folder, "not/there"))).toBeGreaterThan(0);
});

test("the time of a synced write is measured, and nothing stays", () => {
  const time = machine.syncTime(folder);
  expect(time).toEqual({ kind: "measured", milliseconds: expect.any(Number) });
  expect(readdirSync(folder)).toEqual([]);
  expect(machine.syncTime(join(folder, "not-there"))).toEqual({ kind: "failed", code: "ENOENT" });
  writeFileSync(join(folder, "file"), "");
  expect(machine.syncTime(join(folder, "file"))).toEqual({ kind: "failed", code: "ENOTDIR" });
});

test("a port is in use while a server listens there", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  expect(await machine.portState(port)).toBe("in_use");
  await new Promise((resolve) => server.close(resolve));
  expect(await machine.portState(port)).toBe("free");
});

test("the version of Node and the certificates are those of the process", () => {
  expect(machine.node_version).toBe(process.versions.node);
  expect(machine.extra_certificates).toBe("/ca.pem");
  expect(systemMachine({ NODE_EXTRA_CA_CERTS: "" }).extra_certificates).toBeNull();
  expect(systemMachine({}).extra_certificates).toBeNull();
});
