/** One open database with the statements that were prepared on it. */

import type { Row, SqliteDatabase, SqliteStatement, SqlValue } from "./engine.ts";
import { sqliteCode } from "./faults.ts";

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
    const given = values.map(stored);
    try {
      return this.#prepared(text).all(...given);
    } catch (error) {
      throw this.#withResult(error, text, given);
    }
  }

  /** Row by row; the statement is not to be used for anything else until the last row was taken. */
  *each(text: string, ...values: readonly SqlValue[]): Iterable<Row> {
    const given = values.map(stored);
    try {
      yield* this.#prepared(text).iterate(...given);
    } catch (error) {
      throw this.#withResult(error, text, given);
    }
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

  /** The addon leaves the result code out when the rows of a query fail; asked for one row, it names it. */
  #withResult(error: unknown, text: string, values: readonly SqlValue[]): unknown {
    if (sqliteCode(error) !== null || !(error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR"))
      return error;
    try {
      this.row(text, ...values);
      if (text.trimStart().startsWith("select")) this.row(`select count(*) from (${text})`, ...values);
    } catch (again) {
      return sqliteCode(again) === null ? error : again;
    }
    return error;
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
