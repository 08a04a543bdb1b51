import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import { networkKind, refuseNetworkFilesystem } from "./network.ts";

const FUSE = 0x65735546;
const MOUNTS = [
  "21 1 254:0 / / rw - ext4 /dev/vda rw",
  "30 21 0:40 / /home/me/far\\040away rw - fuse.sshfs me@there:/ rw",
  "31 21 0:41 / /home/me/disk rw - fuseblk /dev/sdb1 rw",
  "32 30 0:42 / /home/me/far\\040away/near rw - fuse.mergerfs x rw",
  "",
].join("\n");

function kindOf(type: number, folder = "/home/me"): string | null {
  return networkKind(type, folder, () => MOUNTS);
}

describe("network file systems", () => {
  it.each([
    [0x6969, "nfs"],
    [0xff534d42, "cifs"],
    [0xff534d42 | 0, "cifs"],
    [0xfe534d42, "smb2"],
    [0x01021997, "9p"],
  ])("names type %i", (type, name) => {
    expect(kindOf(type)).toBe(name);
  });

  it.each([0xef53, 0x01021994, 0x9123683e, 0x58465342, 0x794c7630])(
    "lets local type %i through without reading mounts",
    (type) => {
      const unread = (): string => {
        throw new Error("mounts were read");
      };
      expect(networkKind(type, "/home/me", unread)).toBeNull();
    },
  );

  it.each([
    ["/home/me/far away", "fuse.sshfs"],
    ["/home/me/far away/project/.loopx", "fuse.sshfs"],
    ["/home/me/far away/near", null],
    ["/home/me/far away-not", null],
    ["/home/me/disk/x", null],
    ["/elsewhere", null],
  ])("judges a FUSE folder %s by its deepest mount", (folder, kind) => {
    expect(kindOf(FUSE, folder)).toBe(kind);
  });

  it("lets the temporary folder of this machine through", () => {
    expect(() => refuseNetworkFilesystem(tmpdir())).not.toThrow();
  });
});
