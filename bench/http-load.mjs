// A process that asks a server over keep-alive connections on loopback, with as little of Node as possible between.
//
// Request: { port, path, headers, connections, seconds, rate } with `rate` requests a second in all, or null for as many as are
// answered. Answer: { requests, seconds, statuses, bytes, latencies } with latencies in milliseconds. A paced request that finds
// no free connection waits, and the wait counts: else a slow server would be asked less often and look fast.

import { connect } from "node:net";

const request = JSON.parse(process.argv[2] ?? "{}");
const text = `GET ${request.path} HTTP/1.1\r\nHost: 127.0.0.1:${request.port}\r\n${Object.entries(request.headers)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join("")}\r\n`;
const bytesOut = Buffer.from(text);

/** @type {number[]} */
const latencies = [];
/** @type {Record<string, number>} */
const statuses = {};
let bytes = 0;

class Connection {
  /** @type {((value: null) => void) | null} */
  #answered = null;
  /** @type {Buffer} */
  #head = Buffer.alloc(0);
  /** Bytes of the body still to come; -1 while the head is read. */
  #left = -1;
  /** @type {import("node:net").Socket | null} */
  #socket = null;

  /** @returns {Promise<import("node:net").Socket>} */
  async open() {
    const socket = connect({ port: request.port, host: "127.0.0.1", noDelay: true });
    await new Promise((resolve, reject) => socket.once("connect", () => resolve(null)).once("error", reject));
    socket.on("data", (chunk) => this.#take(chunk));
    socket.on("error", fail).on("close", () => this.#lost());
    this.#socket = socket;
    return socket;
  }

  /** A server may close a connection that was idle: the client opens another one and asks again, and the time counts. */
  #lost() {
    this.#socket = null;
    if (this.#answered !== null) void this.open().then((socket) => socket.write(bytesOut), fail);
  }

  /** @param {number} due milliseconds: when the answer was wanted */
  async ask(due) {
    const socket = this.#socket ?? (await this.open());
    await new Promise((resolve) => {
      this.#answered = resolve;
      socket.write(bytesOut);
    });
    latencies.push(clock() - due);
  }

  /** @param {Buffer} chunk */
  #take(chunk) {
    bytes += chunk.length;
    if (this.#left < 0) {
      this.#head = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
      const end = this.#head.indexOf("\r\n\r\n");
      if (end < 0) return;
      this.#left = this.#bodyLength(this.#head.toString("latin1", 0, end)) - (this.#head.length - end - 4);
      this.#head = Buffer.alloc(0);
    } else this.#left -= chunk.length;
    if (this.#left > 0) return;
    this.#left = -1;
    const answered = this.#answered;
    this.#answered = null;
    answered?.(null);
  }

  /** @param {string} head */
  #bodyLength(head) {
    const status = head.slice(9, 12);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === "304") return 0;
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
    if (length === undefined) fail(new Error(`no content-length: ${head}`));
    return Number(length);
  }

  close() {
    this.#socket?.destroy();
  }
}

const connections = Array.from({ length: request.connections }, () => new Connection());
for (const each of connections) await each.open();
const began = clock();
const until = began + request.seconds * 1000;
if (request.rate === null) await Promise.all(connections.map(asFastAsAnswered));
else await paced();
const seconds = (clock() - began) / 1000;
for (const each of connections) each.close();
process.stdout.write(JSON.stringify({ requests: latencies.length, seconds, statuses, bytes, latencies }));
process.stdin.destroy();

/** @param {Connection} connection */
async function asFastAsAnswered(connection) {
  while (clock() < until) await connection.ask(clock());
}

async function paced() {
  const free = [...connections];
  /** @type {((connection: Connection) => void)[]} */
  const waiting = [];
  const asked = [];
  const count = Math.floor(request.seconds * request.rate);
  for (let at = 0; at < count; at += 1) {
    const due = began + (at * 1000) / request.rate;
    const wait = due - clock();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    // This process's own timers are late by up to a millisecond or, on a busy machine, more: not the server's doing.
    const from = clock();
    asked.push(
      (async () => {
        /** @type {Connection} */
        const connection = free.pop() ?? (await new Promise((resolve) => waiting.push(resolve)));
        await connection.ask(from);
        const next = waiting.shift();
        if (next === undefined) free.push(connection);
        else next(connection);
      })(),
    );
  }
  await Promise.all(asked);
}

function clock() {
  return Number(process.hrtime.bigint()) / 1e6;
}

/**
 * @param {Error} error
 * @returns {never}
 */
function fail(error) {
  console.error(error);
  process.exit(1);
}
