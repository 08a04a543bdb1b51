/** A project for tests of `doctor`, on a machine that is well unless a test says otherwise. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock, systemDigest } from "../adapters/system/system.ts";
import { addMilliseconds, type Instant } from "../core/instant.ts";
import type { CheckRow, DoctorPayload, Finding } from "../core/show/doctor.ts";
import type { Machine } from "../ports/machine.ts";
import type { DoctorRequest, RefreshRequest } from "./app.ts";
import { doctor } from "./doctor.ts";
import { initProject } from "./init.ts";
import { PLAIN_RUN } from "./plain-run.ts";
import { refresh } from "./refresh.ts";
import { type SampleGround, type SampleOptions, sampleGround, valueFrom } from "./workspace.sample.ts";
import type { WritingWorkspace } from "./workspace.ts";

export const LOOK: DoctorRequest = { fix: false, dryRun: false };
export const FIX: DoctorRequest = { fix: true, dryRun: false };
export const INDEX = ".loopx/runtime/goals/importer/runs/index.jsonl";
export const STATE = ".codex/goals/importer/ACTIVE_GOAL_STATE.md";

const WELL: Machine = {
  node_version: "24.1.0",
  extra_certificates: null,
  deviceOf: () => "1",
  mountOf: () => ({ mount_point: "/", kind: "ext4", options: ["rw", "relatime"] }),
  freeBytes: () => 10 ** 12,
  syncTime: () => ({ kind: "measured", milliseconds: 1 }),
  portState: async () => "free",
};

/** Long after the commands before it, so that nothing counts as being written right now. */
const later = { now: (): Instant => addMilliseconds(systemClock.now(), 120_000) };

export type DoctorOptions = SampleOptions & {
  readonly machine?: Partial<Machine>;
  readonly opened?: (workspace: WritingWorkspace) => WritingWorkspace;
};

export class DoctorSample {
  readonly ground: SampleGround = sampleGround();
  readonly #grounds: SampleGround[] = [this.ground];

  at(...parts: readonly string[]): string {
    return join(this.ground.folder, ...parts);
  }

  async asked(request: DoctorRequest, { machine = {}, opened, ...options }: DoctorOptions = {}): Promise<DoctorPayload> {
    const ground = this.ground.again({ clock: later, ...options });
    this.#grounds.push(ground);
    const open: SampleGround["open"] = async (roots, access) => {
      const workspace = await ground.open(roots, access);
      return opened === undefined ? workspace : opened(workspace);
    };
    return await valueFrom(doctor({ ...ground, open, machine: { ...WELL, ...machine }, digest: systemDigest }, request));
  }

  /** One goal, with a todo and a next action. */
  async project(): Promise<WritingWorkspace> {
    await valueFrom(initProject(this.ground, { objective: "Ship it", goalId: "importer", project: null, dryRun: false }));
    const path = this.at(STATE);
    const todo = "- [ ] Parse\n  <!-- loopx:todo todo_id=todo_parse -->\n";
    const text = readFileSync(path, "utf8").replace("## Agent Todo\n", `## Agent Todo\n\n${todo}`);
    writeFileSync(path, text.replace("## Next Action\n", "## Next Action\n\n- Parse\n"));
    return await this.ground.workspace();
  }

  async remove(): Promise<void> {
    for (const each of this.#grounds) await each.remove();
  }
}

export async function recordRun(workspace: WritingWorkspace, turn: string): Promise<void> {
  const request: RefreshRequest = {
    ...PLAIN_RUN,
    goalId: "importer",
    recommendedAction: `after ${turn}`,
    turnInstanceId: turn,
  };
  await valueFrom(refresh(workspace, request));
}

export function row({ checks }: DoctorPayload, name: string): CheckRow | undefined {
  return checks.find(({ check }) => check === name);
}

export function found({ findings }: DoctorPayload, name: string): readonly Finding[] {
  return findings.filter(({ check }) => check === name);
}
