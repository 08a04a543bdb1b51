/**
 * Which program an argument list would run, as a text that changes with the program.
 *
 * Does not own: libraries and configuration that a program reads; what matters of these are inputs.
 */
export interface Tools {
  /**
   * By name: the program, what the first line of a script names, and the platform. Null when the program cannot be found,
   * or changed so lately that a further change would not show.
   */
  identify(program: string, place: ToolPlace): Readonly<Record<string, string>> | null;
}

export interface ToolPlace {
  /** Where a program that is named with a `/` lies. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}
