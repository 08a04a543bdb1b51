/**
 * Format 4: a goal is found by a todo, a lease or a receipt of it. Never changed once it is released (F1 of `migrations.ts`).
 */
export const FORMAT_4 = `
create index todos_by_id on todos (todo_id, goal_id);
create index receipts_by_key on receipts (key, goal_id);

create table leases (
  goal_id text not null,
  todo_id text not null,
  owner text not null,
  primary key (goal_id, todo_id)
) strict, without rowid;
create index leases_by_owner on leases (owner, goal_id);
create index leases_by_todo on leases (todo_id, goal_id);
`;
