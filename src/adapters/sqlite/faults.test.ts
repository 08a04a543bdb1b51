import { describe, expect, it } from "vitest";
import { Fault } from "../../errors.ts";
import { faultOf } from "./faults.ts";

const PATH = "/runtime/loopx.db";

function failed(fields: object): Error {
  return Object.assign(new Error("it failed"), fields);
}

describe("faults", () => {
  it.each([
    ["disk_full", { errcode: 13 }],
    ["disk_full", { errcode: 4874, systemErrno: 28 }],
    ["io_error", { errcode: 10 }],
    ["io_error", { errcode: 1034 }],
    ["store_damaged", { errcode: 11 }],
    ["store_damaged", { errcode: 779 }],
    ["store_damaged", { errcode: 26 }],
    ["read_only", { errcode: 8 }],
    ["read_only", { errcode: 1032 }],
    ["store_unopenable", { errcode: 14 }],
    ["disk_full", { code: "ENOSPC" }],
    ["disk_full", { code: "EDQUOT" }],
    ["io_error", { code: "EIO" }],
    ["read_only", { code: "EROFS" }],
    ["store_unopenable", { code: "EACCES" }],
    ["store_unopenable", { code: "ENOTDIR" }],
  ])("%s is what %j means", (code, fields) => {
    const cause = failed(fields);
    const fault = faultOf(cause, PATH);
    expect(fault).toBeInstanceOf(Fault);
    expect(fault).toMatchObject({ code, cause, hint: expect.any(String), message: expect.stringContaining(PATH) });
  });

  it.each([{ errcode: 1 }, { errcode: 19 }, { code: "ERR_INVALID_STATE" }, {}])("%j is a bug and stays what it is", (fields) => {
    const error = failed(fields);
    expect(faultOf(error, PATH)).toBe(error);
  });

  it("leaves a fault alone", () => {
    const fault = new Fault({ code: "store_busy", message: "busy" });
    expect(faultOf(fault, PATH)).toBe(fault);
  });
});
