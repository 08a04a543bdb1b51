/** SHA-256 and random names. Node's `crypto` loads its streams with it, so it is fetched by the few that need it, then. */
type Crypto = typeof import("node:crypto");

function crypto(): Crypto {
  return process.getBuiltinModule("node:crypto");
}

/** Lower-case hex. */
export function sha256(bytes: Uint8Array | string): string {
  return crypto().createHash("sha256").update(bytes).digest("hex");
}

export function sha256Stream(): ReturnType<Crypto["createHash"]> {
  return crypto().createHash("sha256");
}

/** Twice as many hex digits. */
export function randomHex(bytes: number): string {
  return crypto().randomBytes(bytes).toString("hex");
}
