/** One open database with the statements that were prepared on it. */
import type { Row, SqliteDatabase, SqliteStatement, SqlValue } from "./engine.ts";

export interface Written {
  readonly changes: number;
  readonly rowid: number;
}

export class Sql {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  row(text: string, ...values: readonly SqlValue[]): Row | undefined {
    return this.#prepared(text).get(...values.map(stored));
  }

  rows(text: string, ...values: readonly SqlValue[]): readonly Row[] {
    return this.#prepared(text).all(...values.map(stored));
  }

  /** Row by row; the statement is not to be used for anything else until the last row was taken. */
  each(text: string, ...values: readonly SqlValue[]): Iterable<Row> {
    return this.#prepared(text).iterate(...values.map(stored));
  }

  run(text: string, ...values: readonly SqlValue[]): Written {
    const { changes, lastInsertRowid } = this.#prepared(text).run(...values.map(stored));
    return { changes: Number(changes), rowid: Number(lastInsertRowid) };
  }

  /** For statements without values that are not worth preparing. */
  exec(text: string): void {
    this.#database.exec(text);
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #prepared(text: string): SqliteStatement {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(text);
    this.#statements.set(text, statement);
    return statement;
  }
}

/** For columns that order or filter by what a person wrote; the text itself stands in the row's JSON. */
export function withoutNul(text: string): string {
  return text.replaceAll("\0", "");
}

/** S4: other engines cannot hold U+0000, and SQLite's own functions stop at it. JSON text has it escaped. */
function stored(value: SqlValue): SqlValue {
  if (typeof value === "string" && value.includes("\0")) throw new Error("a text with U+0000 was handed to the store");
  return value;
}
