/** Which part of a list is asked for. */
export interface PageRequest {
  readonly limit: number | null;
  readonly cursor: string | null;
}
