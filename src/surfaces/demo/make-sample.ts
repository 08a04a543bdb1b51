/** Writes the sample project into a new temporary folder, and takes it away. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { epochOf, type Instant } from "../../core/instant.ts";
import { SAMPLE_GOALS } from "./sample.ts";
import { sampleFiles } from "./sample-files.ts";

export interface SampleProject {
  readonly folder: string;
  readonly registry: string;
  remove(): void;
}

export function makeSample(now: Instant): SampleProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopx-demo-")));
  for (const { path, bytes, saved_at } of sampleFiles(SAMPLE_GOALS, folder, now)) {
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, bytes);
    setTime(place, saved_at);
    if (path.endsWith("index.jsonl")) setTime(dirname(dirname(place)), saved_at);
  }
  return projectIn(folder);
}

export function projectIn(folder: string): SampleProject {
  return {
    folder,
    registry: join(folder, ".loopx/registry.json"),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

function setTime(place: string, at: Instant): void {
  const seconds = epochOf(at) / 1000;
  utimesSync(place, seconds, seconds);
}
