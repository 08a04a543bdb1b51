/** What one server gives to its clients, and how long it waits for them. */
export interface Limits {
  readonly connections: number;
  readonly eventClients: number;
  /** All headers of a request, in bytes. */
  readonly headerBytes: number;
  readonly headerCount: number;
  readonly headersTimeoutMs: number;
  /** A whole request, its body too. */
  readonly requestTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly heartbeatMs: number;
  readonly slowClientMs: number;
  /** Until connections that are still open are cut when the server stops. */
  readonly stopMs: number;
}

export const LIMITS: Limits = {
  connections: 256,
  eventClients: 64,
  headerBytes: 16_384,
  headerCount: 100,
  headersTimeoutMs: 5000,
  requestTimeoutMs: 10_000,
  keepAliveMs: 30_000,
  heartbeatMs: 15_000,
  slowClientMs: 20_000,
  stopMs: 2000,
};
