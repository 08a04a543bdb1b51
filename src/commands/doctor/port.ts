/** The port that `loopx serve` takes when none is named. */
import { type Check, looked } from "./check.ts";

const DEFAULT_PORT = 8765;

export const port: Check = {
  name: "port",
  look: async ({ machine }) => {
    const state = await machine.portState(DEFAULT_PORT);
    if (state === "free") return looked(`${DEFAULT_PORT} is free`);
    if (state === "not_permitted") {
      return looked(`${DEFAULT_PORT} cannot be used`, [
        { severity: "warning", message: `this user may not listen on 127.0.0.1:${DEFAULT_PORT}` },
      ]);
    }
    const message = "a server is running there, perhaps this one; another `loopx serve` takes the next free port and says which";
    return looked(`${DEFAULT_PORT} is in use`, [{ severity: "info", message }]);
  },
};
