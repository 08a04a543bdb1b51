/** The team while it works: one line an agent that is painted over on a terminal, elsewhere a line for each thing that happened. */
import type { TeamAudience, TeamView } from "../../commands/launch-words.ts";
import type { Instant } from "../../core/instant.ts";
import { noteLine, teamPicture } from "../../core/show/markdown/team.ts";

export interface Screen {
  readonly isTerminal: boolean;
  readonly write: (text: string) => void;
  readonly now: () => Instant;
}

export interface TeamScreen {
  readonly onChange: TeamAudience["onChange"];
  readonly end: () => void;
}

const PAINT_MS = 100;

export function teamScreen(screen: Screen): TeamScreen {
  return screen.isTerminal ? painted(screen) : lines(screen);
}

function lines({ write }: Screen): TeamScreen {
  const onChange: TeamScreen["onChange"] = (_, notes) => {
    for (const note of notes) {
      const line = noteLine(note);
      if (line !== null) write(`${line}\n`);
    }
  };
  return { onChange, end: () => undefined };
}

function painted({ write, now }: Screen): TeamScreen {
  let view: TeamView | null = null;
  let height = 0;
  const paint = (): void => {
    if (view === null) return;
    const picture = teamPicture(view, now());
    write(`${height === 0 ? "" : `\u001b[${height}A\u001b[J`}${picture.join("\n")}\n`);
    height = picture.length;
  };
  const timer = setInterval(paint, PAINT_MS);
  return {
    onChange: (next) => {
      view = next;
    },
    end: () => {
      clearInterval(timer);
      paint();
    },
  };
}
