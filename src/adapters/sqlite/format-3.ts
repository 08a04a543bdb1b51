/**
 * Format 3: what todos were at snapshots, for looking back. Never changed once it is released (F1 of `migrations.ts`).
 */
export const FORMAT_3 = `
create table todo_past (
  goal_id text not null,
  generation integer not null,
  todo_id text not null,
  seq integer not null,
  data text,
  primary key (goal_id, generation, todo_id, seq)
) strict, without rowid;
`;
