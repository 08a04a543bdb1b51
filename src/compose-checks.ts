/** The part of the composition root that runs checks of todos: loaded when a todo declares some. */
import { fileBlobs } from "./adapters/files/blobs.ts";
import { fileDigests } from "./adapters/files/file-digests.ts";
import { packageFolders } from "./adapters/files/package-folders.ts";
import { treeHasher } from "./adapters/files/tree-hash.ts";
import { fileVerdicts } from "./adapters/files/verdict-cache.ts";
import { systemCommands } from "./adapters/system/command-runner.ts";
import { systemClock, systemDigest } from "./adapters/system/system.ts";
import { systemTools } from "./adapters/system/tools.ts";
import type { CacheBounds, Checking } from "./commands/workspace.ts";

export interface CheckingOptions {
  readonly env: Checking["env"];
  readonly bounds?: CacheBounds | undefined;
}

export function checkingIn(runtime_root: string, { env, bounds }: CheckingOptions): Checking {
  const digests = fileDigests({ runtime_root });
  const hasher = treeHasher({ digests, env });
  return {
    tree: {
      hash: async (request) => {
        const found = await hasher.hash(request);
        digests.save();
        return found;
      },
    },
    tools: systemTools(),
    verdicts: fileVerdicts({ runtime_root, clock: systemClock, ...bounds }),
    blobs: fileBlobs({ runtime_root }),
    packages: packageFolders({ runtime_root, clock: systemClock }),
    runner: systemCommands,
    clock: systemClock,
    digest: systemDigest,
    env,
  };
}
