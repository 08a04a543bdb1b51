/** The newest events as frames that are ready to send: many clients at the head cost one reading of the store. */
import { isHostile } from "../../core/show/escape.ts";
import type { FedEvent } from "../../ports/store.ts";

const MOST_FRAMES = 1000;

export interface Frame {
  readonly pos: string;
  readonly text: string;
}

export interface EventLog {
  add(events: readonly FedEvent[]): void;
  /** The frames behind `pos`; null when they may not all be here. */
  after(pos: string | null): readonly Frame[] | null;
}

/** `start` is the position behind which the log begins. */
export function eventLog(start: string | null): EventLog {
  let before = start;
  let frames: readonly Frame[] = [];
  return {
    add: (events) => {
      const all = [...frames, ...events.map(frameOf)];
      const surplus = all.length - MOST_FRAMES;
      if (surplus > 0) before = all[surplus - 1]?.pos ?? before;
      frames = surplus > 0 ? all.slice(surplus) : all;
    },
    after: (pos) => {
      if (pos === before) return frames;
      const at = frames.findLastIndex((frame) => frame.pos === pos);
      return at < 0 ? null : frames.slice(at + 1);
    },
  };
}

/** One `data` line holds it: JSON has no raw line feeds, and what a terminal would act on is escaped. */
export function frameOf({ pos, event }: FedEvent): Frame {
  const data = JSON.stringify({ pos, ...event }).replace(/[^ -~]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return isHostile(code) ? `\\u${code.toString(16).padStart(4, "0")}` : unit;
  });
  return { pos, text: `id: ${pos}\nevent: ${event.type}\ndata: ${data}\n\n` };
}
