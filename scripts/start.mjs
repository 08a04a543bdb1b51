// `npm start`: install, build, then the demonstration (src/surfaces/demo/main.ts). Arguments go to it: `npm start -- --once`.

import { join } from "node:path";
import { build } from "./build.mjs";
import { become, ensureInstalled, ROOT } from "./setup.mjs";

ensureInstalled();
await build({ library: false });
become([join(ROOT, "dist/demo.cjs"), ...process.argv.slice(2)]);
