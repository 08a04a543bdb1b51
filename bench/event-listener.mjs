// A process that listens to `/events` and notes when each event arrives, until its input ends.
//
// Request: { port }. Answer: { arrivals: [[pos, nanoseconds of the machine's monotonic clock]] }.

import { connect } from "node:net";

const { port } = JSON.parse(process.argv[2] ?? "{}");
/** @type {[string, number][]} */
const arrivals = [];
let rest = "";
const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => {
  socket.write(`GET /events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\n\r\n`);
});
let greeted = false;
socket.setEncoding("utf8").on("data", (/** @type {string} */ part) => {
  const at = Number(process.hrtime.bigint());
  if (!greeted) process.stdout.write("ready\n");
  greeted = true;
  const lines = (rest + part).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const pos = /^id: (\d+)\r?$/.exec(line)?.[1];
    if (pos !== undefined) arrivals.push([pos, at]);
  }
});
socket.on("error", (error) => {
  throw error;
});
process.stdin.resume().once("end", () => {
  socket.destroy();
  process.stdout.write(JSON.stringify({ arrivals }));
});
