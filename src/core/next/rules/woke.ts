import { hindranceOf } from "../doable.ts";
import type { Rule } from "../rule.ts";

/** Row 13: what a deferred todo waited for has come. */
export const woke: Rule = (situation) => {
  const ready = situation.state.frontier.woken.find((todo) => hindranceOf(situation, { ...todo, status: "open" }) === null);
  return ready === undefined
    ? null
    : { act: "run", why: "woke", because: `what ${ready.todo_id} waited for has come`, todo: ready };
};
