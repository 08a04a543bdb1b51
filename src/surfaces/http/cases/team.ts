/** Routes of a team of agents that runs in the same root: how it is, what it prints, and asking it to end or to go on. */
import { teamAnswer, teamLogsAnswer, teamStopAnswer, teamWakeAnswer } from "../../../schema/http/team-answers.ts";
import { teamStopBody, teamWakeBody } from "../../../schema/http/team-bodies.ts";
import { read, type UseCase, write } from "../use-case.ts";

export const TEAM_CASES: readonly UseCase[] = [
  read({
    path: "/agents",
    summary: "A team, agent by agent.",
    parameters: ["session"],
    private: true,
    moves_with: "clock",
    answer: teamAnswer,
    ask: (app, { given }) => app.agentsStatus({ session: given.session ?? null }),
  }),
  read({
    path: "/agents/logs",
    summary: "The last part of what agents of a team printed.",
    parameters: ["session", "agent_id"],
    private: true,
    moves_with: "clock",
    answer: teamLogsAnswer,
    ask: (app, { given }) => app.agentsLogs({ session: given.session ?? null, agentId: given.agent_id ?? null, after: null }),
  }),
  write({
    path: "/agents/stop",
    summary: "Ends a team after its turns, or now.",
    body: teamStopBody,
    answer: teamStopAnswer,
    ask: (app, { body }) => app.agentsStop({ session: body.session ?? null, now: body.now ?? false }),
  }),
  write({
    path: "/agents/wake",
    summary: "Lets agents of a team go on at once.",
    body: teamWakeBody,
    answer: teamWakeAnswer,
    ask: (app, { body }) => app.agentsWake({ session: body.session ?? null, agentId: body.agent_id ?? null }),
  }),
];
