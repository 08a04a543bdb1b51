/** File systems on which the engine's locks cannot be trusted (`statfs` types and mount names of Linux). */
import { readFileSync, statfsSync } from "node:fs";
import { Fault } from "../../errors.ts";

const TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, "nfs"],
  [0x517b, "smb"],
  [0xff534d42, "cifs"],
  [0xfe534d42, "smb2"],
  [0x01021997, "9p"],
  [0x5346414f, "afs"],
  [0x73757245, "coda"],
  [0x00c36400, "ceph"],
  [0x0bd00bd0, "lustre"],
]);
const FUSE = 0x65735546;
const NETWORK_FUSE = /^fuse\.(?:sshfs|s3fs|rclone|glusterfs|ceph|gcsfuse|davfs|curlftpfs|goofys|juicefs|mfs|smbnetfs)/;

/** Throws `network_filesystem` when `folder` lies on one. */
export function refuseNetworkFilesystem(folder: string): void {
  if (process.platform !== "linux") return;
  const kind = networkKind(statfsSync(folder).type, folder, mounts);
  if (kind === null) return;
  throw new Fault({
    code: "network_filesystem",
    message: `The runtime root ${folder} lies on a network file system (${kind}), where locks between processes cannot be trusted.`,
    hint: "Put it on a local disk with --runtime-root PATH.",
  });
}

/** The name of the network file system, null for a local one. Mounts are read only where the type leaves it open. */
export function networkKind(type: number, folder: string, mountinfo: () => string): string | null {
  const unsigned = type >>> 0;
  if (unsigned !== FUSE) return TYPES.get(unsigned) ?? null;
  const kind = mountOf(folder, mountinfo());
  return NETWORK_FUSE.test(kind) ? kind : null;
}

function mounts(): string {
  return readFileSync("/proc/self/mountinfo", "utf8");
}

/** The type of the deepest mount that holds `folder`. */
function mountOf(folder: string, mountinfo: string): string {
  let deepest = { at: "", kind: "" };
  for (const line of mountinfo.split("\n")) {
    const [left = "", right = ""] = line.split(" - ");
    const at = (left.split(" ")[4] ?? "").replace(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    const kind = right.split(" ")[0] ?? "";
    if (at.length >= deepest.at.length && holds(at, folder)) deepest = { at, kind };
  }
  return deepest.kind;
}

function holds(mount: string, folder: string): boolean {
  return mount !== "" && (mount === "/" || folder === mount || folder.startsWith(`${mount}/`));
}
