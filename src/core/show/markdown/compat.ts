/** The reference's reading commands for people. */
import type { DiagnosisPayload } from "../diagnose.ts";
import { code, markdown as text } from "../escape.ts";
import type { EvidenceLogPayload } from "../evidence-log.ts";
import type { GoalQuotaPayload, GoalQuotaRow, Measured, QuotaPlanPayload, QuotaStatusPayload } from "../quota-status.ts";
import type { ShouldRunPayload } from "../should-run.ts";
import { list, page, table } from "./table.ts";

export function shouldRunPage(answer: ShouldRunPayload): string {
  const { decision, effective_action, should_run, state, reason, selected_todo, interaction_contract: contract } = answer;
  const { user_channel, cli_channel } = contract;
  return page(
    [`# ${should_run ? "Run" : "Do not run"}: ${code(decision)}`],
    list([
      `action: ${code(effective_action)}, mode ${code(contract.mode)}`,
      `quota: ${state}`,
      `why: ${text(reason)}`,
      ...(selected_todo === null ? [] : [`todo: ${code(selected_todo.todo_id)} ${text(selected_todo.text)}`]),
    ]),
    user_channel.actions.length === 0 ? [] : ["Tell the person:", "", ...list(user_channel.actions.map(text))],
    cli_channel.next_cli_actions.length === 0 ? [] : [`Next: ${cli_channel.next_cli_actions.map(code).join(" or ")}`],
  );
}

export function quotaStatusPage(answer: GoalQuotaPayload | QuotaStatusPayload): string {
  return "groups" in answer ? groupsPage(answer) : goalPage(answer);
}

function goalPage({ goal_id, state, because, next_eligible_at, units, limits, problems }: GoalQuotaPayload): string {
  return page(
    [`# Quota of ${code(goal_id)}: ${state}`],
    list([
      `why: ${text(because)}`,
      ...(next_eligible_at === null ? [] : [`room again: ${next_eligible_at}`]),
      ...problems.map(({ message }) => text(message)),
    ]),
    units.length === 0 ? [] : table(["", "Used", "Of", "%"], [...units, ...limits].map(measuredRow)),
    [`Next: ${code(`loopx quota set --goal-id ${goal_id} --help`)}`],
  );
}

function measuredRow({ name, used, reserved, limit, percent }: Measured): readonly string[] {
  const aside = reserved === undefined || reserved === 0 ? "" : ` (+${reserved} set aside)`;
  return [
    code(name),
    `${used ?? "-"}${aside}`,
    limit === null ? "no limit" : String(limit),
    percent === null ? "-" : String(percent),
  ];
}

function groupsPage({ groups, next_automatic_turn, left_out }: QuotaStatusPayload): string {
  const rows = groups.flatMap(({ state, goals }) => goals.map((goal) => quotaRow(state, goal)));
  return page(
    [`# Quota${next_automatic_turn === null ? "" : `: ${code(next_automatic_turn)} is next`}`],
    rows.length === 0 ? [] : table(["State", "Goal", "Why", "Slots", "Room again"], rows),
    [`Next: ${(left_out.get.length === 0 ? ["loopx quota plan"] : left_out.get).map(code).join(" or ")}`],
  );
}

function quotaRow(
  state: string,
  { goal_id, why, spent_slots, allowed_slots, next_eligible_at }: GoalQuotaRow,
): readonly string[] {
  return [state, code(goal_id), why, `${spent_slots}/${allowed_slots ?? "?"}`, next_eligible_at ?? "-"];
}

export function quotaPlanPage({ next_automatic_turn, in_line, summary, then }: QuotaPlanPayload): string {
  return page(
    [`# ${next_automatic_turn === null ? "No goal can run now" : `Next: ${code(next_automatic_turn.goal_id)}`}`],
    list(Object.entries(summary).map(([state, count]) => `${state}: ${count}`)),
    in_line.length < 2
      ? []
      : [
          `Then: ${in_line
            .slice(1)
            .map(({ goal_id }) => code(goal_id))
            .join(", ")}`,
        ],
    [`Next: ${then.map(code).join(" or ")}`],
  );
}

export function evidenceLogPage({ goal_id, agent_id, ledger, truncated }: EvidenceLogPayload): string {
  const rows = ledger.map(({ at, kind, todo_id, says }) => [
    at ?? "-",
    code(kind),
    todo_id === null ? "-" : code(todo_id),
    text(says ?? ""),
  ]);
  return page(
    [`# What ${code(agent_id)} did on ${code(goal_id)}`],
    rows.length === 0 ? ["Nothing."] : table(["At", "What", "Todo", "Says"], rows),
    truncated ? ["There is more: `--limit`, `--since`."] : [],
    [`Next: ${code(`loopx history --goal-id ${goal_id}`)}`],
  );
}

export function diagnosisPage({ machine_signal, reason, rule, evidence, commands }: DiagnosisPayload): string {
  return page(
    [`# ${code(machine_signal)}`],
    list([`why: ${text(reason)}`, `rule: ${code(rule)}`, ...evidence.map(({ about, says }) => `${text(about)}: ${text(says)}`)]),
    commands.length === 0 ? [] : [`Next: ${commands.map(code).join(" or ")}`],
  );
}
