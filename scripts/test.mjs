// `npm test`: install, build, then Vitest. Arguments go to Vitest: `npm test -- src/core`.

import { join } from "node:path";
import { build } from "./build.mjs";
import { become, ensureInstalled, ROOT } from "./setup.mjs";

process.chdir(ROOT);
ensureInstalled();
await build({ library: true });
become([join(ROOT, "node_modules/vitest/vitest.mjs"), "run", ...process.argv.slice(2)]);
