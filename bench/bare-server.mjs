// A process that answers every request with the same bytes, or 304 to one that names a tag: what Node alone costs here.
//
// Request: { port, bytes }.

import { createServer } from "node:http";

const { port, bytes } = JSON.parse(process.argv[2] ?? "{}");
const body = Buffer.alloc(bytes, 120);
createServer((request, response) => {
  if (request.headers["if-none-match"] !== undefined) response.writeHead(304, { etag: '"bare"' }).end();
  else response.writeHead(200, { "content-length": bytes, etag: '"bare"', "content-type": "application/json" }).end(body);
}).listen(port, "127.0.0.1");
