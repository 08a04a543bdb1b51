/** The command line on a world: arguments in, exit status and answer out, in this process. */
import type { Reply } from "../../src/core/result.ts";
import { runFake } from "../../src/surfaces/cli/host.sample.ts";
import type { Json } from "./asks.ts";
import type { World } from "./workspace.ts";

export interface Answered {
  readonly exit: number;
  readonly answer: Json;
}

/** As programs ask: with `--json`. */
export async function loopx(of: Pick<World, "app">, ...argv: readonly string[]): Promise<Answered> {
  const { exit, out } = await runFake([...argv, "--json"], { answer: (call) => asked(of, call) });
  return { exit, answer: JSON.parse(out) };
}

/** As people ask. */
export async function loopxPage(of: Pick<World, "app">, ...argv: readonly string[]): Promise<string> {
  return (await runFake(argv, { answer: (call) => asked(of, call) })).out;
}

async function asked(
  of: Pick<World, "app">,
  call: { readonly use_case: string; readonly request: unknown },
): Promise<Reply<object>> {
  const useCase = (of.app as Json)[call.use_case];
  return await useCase(call.request);
}
