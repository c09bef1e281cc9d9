/** A row as it was, and as it is. */
export interface Change<Row> {
  readonly before: Row;
  readonly after: Row;
}
