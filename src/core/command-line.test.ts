import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { loopxCommand } from "./command-line.ts";

describe("loopxCommand", () => {
  it("leaves plain arguments alone", () => {
    expect(loopxCommand("goal", "show", "--goal-id", "a.b_c-1")).toBe("loopx goal show --goal-id a.b_c-1");
  });

  it("L1: a shell reads back what was meant", () => {
    const wild = ["it's", "$HOME `id` $(id)", "", "a\nb", '"', "\\", "~", "*", "--x=#y", "!", "字 🙂"];
    const line = loopxCommand(...wild).replace(/^loopx/, "printf '%s\\0'");
    expect(execFileSync("/bin/sh", ["-c", line], { encoding: "utf8" }).split("\0")).toEqual([...wild, ""]);
  });
});
