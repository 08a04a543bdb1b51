/**
 * Format 2: todos are found by what decides about them, and spending has its own rows. Never changed once it is released
 * (F1 of `migrations.ts`).
 *
 * `todos.waits`: 0 for nothing, 1 for something, 2 for no more than the time in `due_at`.
 */
export const FORMAT_2 = `
alter table todos add column kind text not null default 'work';
alter table todos add column waits integer not null default 0;
alter table todos add column due_at text;
alter table todos add column wakes integer not null default 0;
alter table todos add column gap integer not null default 0;
alter table todos add column owner text;

create index todos_by_kind on todos (goal_id, kind, waits, owner, priority_rank, idx, todo_id)
  where status = 'open' and archived = 0;
create index todos_by_time on todos (goal_id, due_at) where due_at is not null and status in ('open', 'deferred') and archived = 0;
create index todos_deferred on todos (goal_id, priority_rank, idx, todo_id) where status = 'deferred' and archived = 0;
create index todos_blocked on todos (goal_id, priority_rank, idx, todo_id) where status = 'blocked' and archived = 0;
create index todos_owned on todos (goal_id, kind, priority_rank, idx, todo_id, owner)
  where status = 'open' and archived = 0 and owner is not null;
create index todos_with_gap on todos (goal_id, todo_id) where gap = 1;

create table todo_links (
  goal_id text not null,
  made_by text not null,
  todo_id text not null,
  needs_id text not null,
  primary key (goal_id, made_by, todo_id, needs_id)
) strict, without rowid;
create index todo_links_by_todo on todo_links (goal_id, todo_id);
create index todo_links_by_need on todo_links (goal_id, needs_id);

create table spend (
  goal_id text not null,
  at text not null,
  seq integer not null,
  slots integer not null,
  tokens integer not null,
  wall_ms integer not null,
  total_slots integer not null,
  total_tokens integer not null,
  total_wall_ms integer not null,
  primary key (goal_id, at, seq)
) strict, without rowid;
create index spend_by_seq on spend (goal_id, seq);
`;
