/**
 * Format 4: a goal is found by a todo, a lease or a receipt of it, and a claim moves fewer rows. Never changed once it is released
 * (F1 of `migrations.ts`).
 *
 * `leases` has a row for each todo that somebody has in hand, in all goals: few enough to be looked through.
 */
export const FORMAT_4 = `
create index todos_by_id on todos (todo_id, goal_id);

drop index todos_by_kind;
create index todos_by_kind on todos (goal_id, kind, waits, priority_rank, idx, todo_id, owner)
  where status = 'open' and archived = 0;

drop index receipts_to_prune;
alter table receipts rename to receipts_of_goals;
create table receipts (
  goal_id text not null,
  key text not null,
  fingerprint text not null,
  generation integer not null,
  seq integer not null,
  at text not null,
  primary key (key, goal_id)
) strict, without rowid;
insert into receipts select goal_id, key, fingerprint, generation, seq, at from receipts_of_goals;
drop table receipts_of_goals;
create index receipts_to_prune on receipts (at) where fingerprint <> '';

create table leases (
  goal_id text not null,
  todo_id text not null,
  owner text not null,
  primary key (owner, todo_id, goal_id)
) strict, without rowid;
`;
