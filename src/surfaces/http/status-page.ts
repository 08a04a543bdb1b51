/**
 * The default page of the status as bytes, made once for each picture that differs.
 *
 * P1  When goals were last looked at (`checked`) is no difference: the page, and its tag, stay.
 */
import type { Live, Picture } from "../../commands/live.ts";
import { printJson } from "../../core/show/print-json.ts";
import type { Made } from "./kept-answers.ts";
import { prepare } from "./prepared.ts";

export interface StatusPage {
  current(): Promise<Made>;
}

export function statusPage(live: Pick<Live, "current">): StatusPage {
  let last: { readonly picture: Picture; readonly gist: string; readonly page: Made } | null = null;
  return {
    current: async () => {
      const picture = await live.current();
      if (last?.picture === picture) return last.page;
      if (picture.status.kind !== "done") return picture.status;
      const { value } = picture.status;
      const gist = JSON.stringify({ ...value, checked: null }); // (P1)
      const page = last !== null && last.gist === gist ? last.page : prepare(printJson(value));
      last = { picture, gist, page };
      return page;
    },
  };
}
