/** `loopx sim` for people: what happened in the world, or which law was broken and how to see it again. */
import type { SimFailure, SimPayload } from "../../sim/report.ts";
import { code, markdown } from "../escape.ts";
import { counted, list, page, table } from "./table.ts";

export function simPage(answer: SimPayload): string {
  const { failure, fix, seed, commands, turns, todos_done, events, failed_commits, replays } = answer;
  const head = failure === null ? `# Seed ${seed}: every law held` : `# Seed ${seed}: the law ${failure.invariant} was broken`;
  return page(
    [head],
    ...(failure === null ? [] : failing(failure)),
    list([
      `${counted(commands, "command")} checked in ${answer.seconds} s, ${answer.commands_per_second} a second; ${answer.simulated_hours} hours of the world`,
      `${counted(turns, "turn")}, ${counted(todos_done, "todo")} done, ${counted(events, "event")}`,
      `${counted(failed_commits, "commit")} failed on purpose, ${counted(replays, "request")} answered as before`,
    ]),
    counts("answer", answer.answers),
    counts("refused with", answer.refusals),
    [`Again: ${code(fix)}`],
  );
}

function failing({ step, message, last_commands }: SimFailure): readonly (readonly string[])[] {
  return [[`At step ${step}: ${markdown(message)}.`], ["The last commands:"], list(last_commands.map(code))];
}

function counts(head: string, of: Readonly<Record<string, number>>): readonly string[] {
  const rows = Object.entries(of).map(([name, count]) => [name, String(count)]);
  return rows.length === 0 ? [] : table([head, "times"], rows);
}
