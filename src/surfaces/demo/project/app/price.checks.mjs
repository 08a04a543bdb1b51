import assert from "node:assert/strict";
import { test } from "node:test";
import { withTax } from "./price.mjs";

test("adds the tax", () => assert.equal(withTax(1000, 19), 1190));
test("rounds half up", () => assert.equal(withTax(50, 1), 51));
test("nothing costs nothing", () => assert.equal(withTax(0, 19), 0));
