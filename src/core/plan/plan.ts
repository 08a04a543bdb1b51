/**
 * What a state file says, with the place of everything that can be edited.
 *
 * Does not own: how text becomes a `Plan` (`parse.ts`), how an edit is made (`splice.ts`), how two versions of a file
 * become changes (`compare.ts`), and what has become of a todo (the journal).
 *
 * P1  Every `Span` counts UTF-16 units of the exact text that was parsed, byte order mark and line endings included.
 * P2  Texts are never cut.
 * P3  A line that could be meant as something and is not understood is a `Diagnostic` with its line; its bytes stay.
 */
import type { TodoId } from "../id.ts";

/** `text.slice(start, end)`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type SectionRole =
  | "user"
  | "agent"
  | "archive"
  | "next_action"
  | "objective"
  | "feedback"
  | "progress"
  | "lessons"
  | "other";

export interface Section {
  readonly title: string;
  readonly level: number;
  readonly role: SectionRole;
  readonly line: number;
  /** The heading line without its line ending. */
  readonly heading: Span;
  /** From the line after the heading to the next heading of any level, or the end of the text. */
  readonly body: Span;
}

export type TodoStatus = "open" | "done" | "blocked" | "deferred";
export type TodoRole = "user" | "agent";

/** One todo line with its metadata comment and continuation lines. */
export interface PlanTodo {
  /** The id in its metadata, else the reference's digest of role, heading, position and text. One plan never has an id twice. */
  readonly todo_id: TodoId;
  readonly id_source: "metadata" | "generated";
  /**
   * The valid id written in its metadata, else null. Where two todos write the same one, the first in the file has it as
   * `todo_id`; the later ones keep it here alone, have a generated `todo_id`, and `duplicate_todo_ids` is reported.
   */
  readonly declared_id: TodoId | null;
  readonly role: TodoRole;
  /** True in an archive section: its role is that of its task class, and it is closed work: never open or blocked. */
  readonly archived: boolean;
  readonly section: string;
  /** From 1, among the todos of its role in the whole file; archived todos are counted apart. */
  readonly index: number;
  /** From the metadata, else from the checkbox. */
  readonly status: TodoStatus;
  /** From the checkbox alone: what a person ticked, whatever the metadata says. */
  readonly checkbox: "open" | "done" | "deferred";
  /** Whole text, continuation lines joined by one space, white space collapsed, priority prefix included. */
  readonly text: string;
  /** 0 to 4 from a leading `[Pn]`, else null. */
  readonly priority: number | null;
  readonly task_class: string | null;
  /** Every key of the metadata comments in file order, decoded, unknown and invalid ones too; without `todo_id`. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly line: number;
  /** The character between the brackets of the checkbox. */
  readonly marker: Span;
  /** From the first character after `] ` to the last of that line that is no white space, continuation lines not included. */
  readonly first_line: Span;
  /** The whole line of the checkbox, with its line ending. */
  readonly todo_line: Span;
  /** Whole lines of continuation text, with their line endings. */
  readonly continuation: readonly Span[];
  /** The first metadata comment from `<!--` to `-->`, when there is one. */
  readonly comment: Span | null;
  /** All metadata comments. Of a key that is written twice the last counts. */
  readonly comments: readonly Span[];
  /** The todo line and all lines that belong to it, with their line endings. */
  readonly block: Span;
}

export interface NextActionEntry {
  /** White space collapsed, bullet and checkbox removed, never cut. */
  readonly text: string;
  readonly line: number;
  /** From its first character to its last. */
  readonly span: Span;
  /** Its whole lines, with their line endings; a comment between them is not among them. */
  readonly lines: readonly Span[];
}

export interface FrontMatterEntry {
  readonly key: string;
  /** Trimmed, one pair of double quotes removed. */
  readonly value: string;
  readonly line: number;
  /** The value with its quotes. */
  readonly span: Span;
}

export interface FrontMatter {
  readonly entries: readonly FrontMatterEntry[];
  /** The lines between the two `---` lines. */
  readonly body: Span;
}

export interface Diagnostic {
  /** For example `duplicate_todo_ids`, `missing_front_matter`, `metadata_not_understood`. */
  readonly code: string;
  readonly severity: "warning" | "error";
  readonly line: number | null;
  readonly message: string;
}

export interface Plan {
  readonly has_bom: boolean;
  /** The line ending that most lines have; "\n" for a text without one. */
  readonly newline: "\n" | "\r\n" | "\r";
  readonly front_matter: FrontMatter | null;
  readonly sections: readonly Section[];
  /** `null`: no such section. An empty list: the section is there and says nothing. */
  readonly next_action: readonly NextActionEntry[] | null;
  readonly objective: string;
  readonly todos: readonly PlanTodo[];
  /** Entries of Recent User Feedback and Progress Ledger. */
  readonly feedback: readonly string[];
  readonly progress: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}
