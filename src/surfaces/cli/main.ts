/** The program `loopx`. */
import { processHost, start } from "./process-host.ts";

void start(
  processHost({
    open: async (settings) =>
      (await import("../../compose.ts")).compose({ ...settings, program: [process.execPath, import.meta.filename] }),
    serve: async (request, serving) => (await import("../http/main.ts")).serve(request, serving),
  }),
);
