import { expect, it } from "vitest";
import { mayBeBeyondPage } from "./frontier-page.ts";

it.each([
  [{ act: "run", why: "work" } as const, false],
  [{ act: "run", why: "continue" } as const, false],
  [{ act: "run", why: "woke" } as const, true],
  [{ act: "wait", why: "peers_own" } as const, true],
  [{ act: "stop", why: "complete" } as const, false],
])("behind a full page that answered %o may be better work: %s", (decision, expected) => {
  expect(mayBeBeyondPage(decision, 64, 64)).toBe(expected);
  expect(mayBeBeyondPage(decision, 63, 64)).toBe(false);
});
