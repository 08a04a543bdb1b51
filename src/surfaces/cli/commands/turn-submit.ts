import type { JsonObject } from "../../../core/registry/json-node.ts";
import { type Reply, reject } from "../../../core/result.ts";
import { submittedPage } from "../../../core/show/markdown/run.ts";
import type { Run, Shown } from "../command.ts";
import type { Options } from "../given.ts";
import { shown } from "../shown.ts";

export const turnSubmit: Run = async (context, options) => {
  const flaw = followUpFlaw(options);
  if (flaw !== null) return flaw;
  const reply = await (await context.app()).turnSubmit(fieldsFrom(options));
  return reply.kind === "done" ? shown({ kind: "done", value: { ok: true, ...reply.value } }, submittedPage) : reply;
};

function followUpFlaw(options: Options): Reply<Shown> | null {
  const [none, reason] = [options.flag("no-follow-up"), options.text("reason")];
  if (none && reason === null) return reject("option_missing", "--no-follow-up needs --reason.");
  return !none && reason !== null ? reject("option_missing", "--reason says why nothing follows: add --no-follow-up.") : null;
}

function fieldsFrom(options: Options): JsonObject {
  const usage = { input_tokens: options.number("input-tokens"), output_tokens: options.number("output-tokens") };
  const used = Object.entries(usage).filter(([, count]) => count !== null);
  const [next, until] = [options.list("next"), options.text("until")];
  return {
    kind: options.text("kind"),
    summary: options.text("summary"),
    ...(next.length > 0 && { next }),
    ...(options.flag("no-follow-up") && { no_follow_up: options.text("reason") }),
    ...(until !== null && { until }),
    ...(used.length > 0 && { usage: Object.fromEntries(used) }),
  };
}
