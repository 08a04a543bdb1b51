import type { Run } from "../command.ts";

const HOST = "127.0.0.1";
const INTERVAL_SECONDS = 5;

export const serve: Run = (context, options) =>
  context.serve({
    host: options.text("host") ?? HOST,
    port: options.number("port"),
    path: options.text("path"),
    intervalSeconds: options.number("interval") ?? INTERVAL_SECONDS,
    globalRegistry: options.flag("global-registry"),
    requireToken: options.flag("require-token"),
    allowHosts: options.list("allow-host"),
  });
