/** What the command line loads when it is asked to serve; nothing of the server is on the path of other commands. */
export { nodeScheduler } from "./node-scheduler.ts";
export { type ServeRequest, type Serving, serve } from "./serve.ts";
export { type RunningServer, type ServeOptions, startServer } from "./start.ts";
