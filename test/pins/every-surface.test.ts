// What the commands do, the exported client and HTTP do too: nothing can be had on the command line alone, but for what is listed here.
import { expect, test } from "vitest";
import type { App } from "../../src/commands/app.ts";
import { refuse } from "../../src/core/result.ts";
import { createClient } from "../../src/index.ts";
import { commandName } from "../../src/surfaces/cli/command.ts";
import { runFake } from "../../src/surfaces/cli/host.sample.ts";
import { COMMANDS } from "../../src/surfaces/cli/table.ts";
import type { AskedAll } from "../../src/surfaces/http/use-case.ts";
import { USE_CASES } from "../../src/surfaces/http/use-cases.ts";

/** Use cases without a route, and why. */
const NOT_ROUTED: Readonly<Record<string, string>> = {
  init: "it makes the project that a server needs to start",
  run: "it is a process that lives as long as its turns",
  launch: "it is a process that lives as long as its team",
  sim: "it computes for as long as it is told, and needs no project",
  doctor: "it goes through the whole store, and no one would be answered meanwhile",
  rebuild: "it goes through the whole store, and no one would be answered meanwhile",
  turnSubmit: "it is told by its environment which turn it ends",
};

/** Commands without a use case, and why. */
const NOT_ASKED: Readonly<Record<string, string>> = {
  serve: "it is the server",
  version: "it tells of the program, as GET / does of the server",
};

const NO = refuse("not_here", "no");

/** What a request asks of the application. */
async function askedBy(ask: (app: App) => Promise<unknown>): Promise<readonly string[]> {
  const asked: string[] = [];
  const answering = (name: string | symbol) => async () => {
    asked.push(String(name));
    return NO;
  };
  await ask(new Proxy({} as App, { get: (_, name) => answering(name) }));
  return asked;
}

async function routed(): Promise<ReadonlySet<string>> {
  const ids = { goal_id: "alpha", todo_id: "todo_abc", seq: 1 };
  const wanted = { acceptEncoding: undefined, ifNoneMatch: undefined };
  const asked = { ids, given: {}, body: {}, key: "key-1", wanted, after: null } as unknown as AskedAll;
  const each = await Promise.all(USE_CASES.map((useCase) => askedBy((app) => useCase.ask(app, asked))));
  expect(USE_CASES.filter((_, at) => each[at]?.length !== 1).map(({ path }) => path)).toEqual([]);
  return new Set([...each.flat(), "status"]); // `/status` is the server's own.
}

/** By the name of a command, the use case that its example asks first. */
async function askedByCommands(): Promise<readonly (readonly [command: string, useCase: string])[]> {
  const runs = COMMANDS.map(async (spec) => {
    const words = [...spec.example.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
      ([, double, single, bare]) => double ?? single ?? bare ?? "",
    );
    const { calls } = await runFake(words.slice(1), { answer: () => NO });
    return [commandName(spec), calls[0]?.use_case ?? ""] as const;
  });
  return await Promise.all(runs);
}

test("every use case is a function of the client, and has a route or a reason", async () => {
  const { close, ...functions } = createClient({ registry: "/nowhere/registry.json" });
  await close();
  const names = Object.keys(functions);
  const routes = await routed();
  expect([...routes].filter((name) => !names.includes(name))).toEqual([]);
  expect(names.filter((name) => !routes.has(name)).sort()).toEqual(Object.keys(NOT_ROUTED).sort());
});

test("every command asks a use case that has a route, or has a reason", async () => {
  const routes = await routed();
  const asked = await askedByCommands();
  const without = asked.filter(([command, name]) => !routes.has(name) && !(name in NOT_ROUTED) && !(command in NOT_ASKED));
  expect(without).toEqual([]);
});

test("no reason is left of what has a route by now", async () => {
  const asked = await askedByCommands();
  const names = new Map(asked);
  expect(Object.keys(NOT_ASKED).filter((command) => !names.has(command))).toEqual([]);
  expect(Object.keys(NOT_ROUTED).filter((name) => !asked.some(([, each]) => each === name))).toEqual([]);
});
