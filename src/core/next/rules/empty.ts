import type { Rule } from "../rule.ts";

/** Row 21. */
export const empty: Rule = () => ({ act: "replan", why: "empty", because: "there is no todo that anybody could take up" });
