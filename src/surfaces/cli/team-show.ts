/**
 * A team while it runs, for whoever started it.
 *
 * V1  On a terminal one picture that is painted over; without one a line for each thing that happened; as JSON an object for each.
 * V2  Painting never comes more often than the eye follows, and the last picture is painted.
 */
import type { LaunchPlan, TeamView } from "../../commands/launch-words.ts";
import type { Instant } from "../../core/instant.ts";
import { withoutHostile } from "../../core/show/escape.ts";
import { noteLine, planPage, teamPicture } from "../../core/show/markdown/team.ts";
import type { TeamNote } from "../../core/team/team.ts";
import type { Stage } from "./command.ts";
import { jsonLine } from "./output.ts";

export interface TeamShow {
  plan(plan: LaunchPlan): void;
  change(view: TeamView, notes: readonly TeamNote[]): void;
  end(): void;
}

const PAINT_MS = 250;

export function teamShow(stage: Stage, now: () => Instant): TeamShow {
  if (stage.form === "json") return jsonShow(stage);
  return stage.isTerminal ? painted(stage, now) : lines(stage);
}

function jsonShow({ write }: Stage): TeamShow {
  return {
    plan: (plan) => write(jsonLine({ event: "plan", ...plan })),
    change: (_, notes) => {
      for (const note of notes) write(jsonLine(note));
    },
    end: () => undefined,
  };
}

function lines({ write }: Stage): TeamShow {
  return {
    plan: (plan) => write(withoutHostile(planPage(plan))),
    change: (_, notes) => {
      for (const note of notes) {
        const line = noteLine(note);
        if (line !== null) write(`${withoutHostile(line)}\n`);
      }
    },
    end: () => undefined,
  };
}

/** V2. */
function painted({ write, every }: Stage, now: () => Instant): TeamShow {
  let view: TeamView | null = null;
  let height = 0;
  let shown = "";
  const paint = (): void => {
    if (view === null) return;
    const picture = teamPicture(view, now()).map(withoutHostile);
    const text = `${picture.join("\n")}\n`;
    if (text === shown) return;
    write(`${height === 0 ? "\n" : `\u001b[${height}A\u001b[J`}${text}`);
    height = picture.length;
    shown = text;
  };
  const stop = every(PAINT_MS, paint);
  return {
    plan: (plan) => write(withoutHostile(planPage(plan))),
    change: (next) => {
      view = next;
    },
    end: () => {
      stop();
      if (height > 0) write(`\u001b[${height + 1}A\u001b[J`);
    },
  };
}
