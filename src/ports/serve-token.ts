/** The secret that a client shows to the server, and where it is kept. */
export interface ServeToken {
  /** Of the file that holds it. */
  readonly path: string;
  /** Never logged, never part of an answer. */
  readonly value: string;
}
