import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { goalEntrySchema, registryFieldReader, registryRootSchema } from "./registry.ts";

describe("the fields of a goal entry", () => {
  it("R1: leaves out what has the wrong type, names it, and keeps the rest", () => {
    const { fields, flaws } = registryFieldReader.goal({
      id: 7,
      repo: [],
      domain: "d",
      adapter: { kind: 3, status: "s" },
      mine: 1,
    });
    expect(fields).toMatchObject({ id: 7, domain: "d" });
    expect([fields.repo, fields.adapter]).toEqual([undefined, undefined]);
    expect(flaws).toEqual([
      { path: ["repo"], wanted: "a text" },
      { path: ["adapter", "kind"], wanted: "a text" },
    ]);
  });

  it.each([true, [], {}])("R1: the id %j is neither a text nor a number", (id) => {
    expect(registryFieldReader.goal({ id })).toEqual({ fields: {}, flaws: [{ path: ["id"], wanted: "a text or a number" }] });
  });

  it("takes null for a field that is not there", () => {
    const entry = { id: "a", repo: null, adapter: null, activation: null, coordination: { registered_agents: null } };
    expect(registryFieldReader.goal(entry).flaws).toEqual([]);
  });
});

describe("the fields of a registry", () => {
  it("R1: names each that has the wrong type", () => {
    const { fields, flaws } = registryFieldReader.registry({ schema_version: "0.1", updated_at: 3, common_runtime_root: 7 });
    expect(fields).toEqual({ schema_version: "0.1" });
    expect(flaws.map(({ path }) => path)).toEqual([["updated_at"], ["common_runtime_root"]]);
  });
});

it("can be published as JSON Schema that allows unknown fields", () => {
  for (const schema of [goalEntrySchema, registryRootSchema]) {
    expect(z.toJSONSchema(schema)).toMatchObject({ type: "object", additionalProperties: {} });
  }
});
