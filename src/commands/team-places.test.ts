import { expect, test } from "vitest";
import type { LaunchSpec } from "../core/team/launch-spec.ts";
import { placeFlaw } from "./team-places.ts";

const SPEC = { workspace: null, host_command: null, validation_command: null } as LaunchSpec;
const THERE = new Set(["/b ./work", "/a make"]);

function flawOf(spec: Partial<LaunchSpec>): string | null {
  const places = {
    workspaceFlaw: (folder: string) => (folder === "/gone" ? ("missing" as const) : null),
    findProgram: (program: string, { workspace }: { readonly workspace: string }) =>
      THERE.has(`${workspace} ${program}`) ? ("found" as const) : ("missing" as const),
  };
  const flaw = placeFlaw({ places, env: { PATH: "/bin" } }, { ...SPEC, ...spec }, ["/a", "/b"]);
  return flaw.kind === "done" ? null : flaw.code;
}

test.each<[string, Partial<LaunchSpec>, string | null]>([
  ["nothing named", {}, null],
  ["a folder that is gone", { workspace: "/gone" }, "workspace_missing"],
  ["P1: a program in the folder of one goal", { host_command: '["./work"]' }, null],
  ["P1: a program in no folder of a goal", { host_command: '["./other"]' }, "host_missing"],
  ["P1: a program that is not in the workspace", { host_command: '["./work"]', workspace: "/a" }, "host_missing"],
  ["a check that is not there", { validation_command: '["gone"]' }, "host_missing"],
  ["P2: a check that may be made", { validation_command: '["./gone"]' }, null],
])("%s", (_name, spec, code) => expect(flawOf(spec)).toBe(code));
