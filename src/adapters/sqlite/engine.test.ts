import { describe, expect, it } from "vitest";
import { accept, type Engine, openEngine } from "./engine.ts";

function engine(version: string): Engine {
  return { ...openEngine(), version };
}

describe("engine", () => {
  it.each(["3.51.3", "3.51.10", "3.52.0", "3.53.4", "4.0.0"])("G1 accepts SQLite %s", (version) => {
    expect(accept(engine(version))?.version).toBe(version);
  });

  it.each(["3.51.2", "3.50.9", "3.9.0", "2.99.99", ""])("G1 does not accept SQLite %j", (version) => {
    expect(accept(engine(version))).toBeNull();
  });

  it("G2 loads one engine, new enough, whatever Node runs it", () => {
    expect(accept(openEngine())).toBe(openEngine());
  });

  it("G2 says nothing on the way, and leaves warnings as they were", () => {
    const before = process.emitWarning;
    openEngine();
    expect(process.emitWarning).toBe(before);
  });
});
