/** Format 1. Never changed once it is released (F1 of `migrations.ts`). */
export const FORMAT_1 = `
create table meta (
  key text primary key,
  value text not null
) strict, without rowid;
insert into meta values ('store_id', lower(hex(randomblob(16))));

create table notes (
  key text primary key,
  text text not null
) strict;

create table goals (
  goal_id text primary key,
  generation integer not null,
  seq integer not null,
  registry text not null,
  head text not null
) strict;

create table todos (
  goal_id text not null,
  todo_id text not null,
  role text not null,
  archived integer not null,
  status text not null,
  priority_rank integer not null,
  idx integer not null,
  claimed_by text,
  data text not null,
  primary key (goal_id, todo_id)
) strict;
create index todos_ready on todos (goal_id, role, priority_rank, idx, todo_id) where status = 'open' and archived = 0;
create index todos_claimed on todos (goal_id, priority_rank, idx, todo_id, claimed_by)
  where status = 'open' and archived = 0 and claimed_by is not null;

create table events (
  pos integer primary key autoincrement,
  goal_id text not null,
  generation integer not null,
  seq integer not null,
  at text not null,
  type text not null,
  agent_id text,
  turn_id text,
  data text not null,
  unique (goal_id, generation, seq)
) strict;
create index events_by_type on events (goal_id, generation, type, seq);

create table snapshots (
  goal_id text not null,
  generation integer not null,
  seq integer not null,
  head text not null,
  primary key (goal_id, generation, seq)
) strict;

create table receipts (
  goal_id text not null,
  key text not null,
  fingerprint text not null,
  generation integer not null,
  seq integer not null,
  at text not null,
  primary key (goal_id, key)
) strict, without rowid;
create index receipts_to_prune on receipts (at) where fingerprint <> '';

create table bases (
  goal_id text primary key,
  text text not null,
  ids text not null,
  fingerprint text not null,
  accepted_at text not null,
  rendered_seq integer not null,
  sighting text
) strict;

create table archives (
  archive_path text primary key,
  goal_id text not null,
  generation integer not null,
  archived_at text not null,
  restored_at text
) strict;
create index archives_by_time on archives (archived_at, archive_path);
create index archives_of_goal on archives (goal_id, archived_at, archive_path);

create table foreign_files (
  file_id integer primary key,
  goal_id text not null unique,
  fingerprint text not null,
  read_offset integer not null,
  lines integer not null,
  tail_sha256 text not null,
  raw_records integer not null,
  damage text not null,
  damage_count integer not null,
  first_own_line integer,
  foreign_after_own text,
  row_count integer not null
) strict;

create table foreign_rows (
  file_id integer not null,
  identity text not null,
  position integer not null,
  line integer not null,
  at text,
  time_key text not null,
  speaks integer not null,
  row text not null,
  unique (file_id, identity)
) strict;
create index foreign_rows_by_time on foreign_rows (file_id, time_key, position);
create index foreign_rows_speaking on foreign_rows (file_id, time_key, position) where speaks = 1;

create table registries (
  path text primary key,
  fingerprint text not null,
  sha256 text not null,
  goal_count integer not null,
  header text not null,
  problems text not null
) strict;

create table declared (
  registry text not null,
  goal_id text not null,
  ordinal integer not null,
  data text not null,
  primary key (registry, goal_id, ordinal)
) strict;

create table views (
  registry text not null,
  goal_id text not null,
  key text not null,
  checked_at text not null,
  view text not null,
  waits_rank integer,
  severity_rank integer,
  since text,
  run_count integer not null,
  open_todos integer not null,
  waiting_todos integer not null,
  stopped integer not null,
  next_change_at text,
  primary key (registry, goal_id)
) strict;
create index views_attention on views (registry, waits_rank, severity_rank, since, goal_id) where since is not null;
create index views_due on views (registry, next_change_at, goal_id) where next_change_at is not null;
create index views_by_check on views (registry, checked_at);

create table view_counts (
  registry text primary key,
  goals integer not null,
  attention integer not null,
  waiting_for_person integer not null,
  runs integer not null,
  open_todos integer not null,
  waiting_todos integer not null,
  stopped integer not null
) strict, without rowid;

create trigger views_counted after insert on views begin
  insert into view_counts values (new.registry, 0, 0, 0, 0, 0, 0, 0) on conflict do nothing;
  update view_counts set
    goals = goals + 1,
    attention = attention + (new.since is not null),
    waiting_for_person = waiting_for_person + (new.waits_rank is 0),
    runs = runs + new.run_count,
    open_todos = open_todos + new.open_todos,
    waiting_todos = waiting_todos + new.waiting_todos,
    stopped = stopped + new.stopped
  where registry = new.registry;
end;

create trigger views_recounted after update on views begin
  update view_counts set
    attention = attention + (new.since is not null) - (old.since is not null),
    waiting_for_person = waiting_for_person + (new.waits_rank is 0) - (old.waits_rank is 0),
    runs = runs + new.run_count - old.run_count,
    open_todos = open_todos + new.open_todos - old.open_todos,
    waiting_todos = waiting_todos + new.waiting_todos - old.waiting_todos,
    stopped = stopped + new.stopped - old.stopped
  where registry = new.registry;
end;

create trigger views_uncounted after delete on views begin
  update view_counts set
    goals = goals - 1,
    attention = attention - (old.since is not null),
    waiting_for_person = waiting_for_person - (old.waits_rank is 0),
    runs = runs - old.run_count,
    open_todos = open_todos - old.open_todos,
    waiting_todos = waiting_todos - old.waiting_todos,
    stopped = stopped - old.stopped
  where registry = old.registry;
end;

create table mirrors (
  goal_id text not null,
  generation integer not null,
  seq integer not null,
  primary key (goal_id, generation)
) strict, without rowid;
`;
