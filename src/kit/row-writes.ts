/** Names what writes such rows at the end of a batch. */
export type WriteName<Row> = string & { readonly rowOf?: Row };

/** A row, and what writes it. */
export interface RowWrite {
  readonly by: WriteName<unknown>;
  readonly row: unknown;
}

/** Writes the rows of all commands of a batch, by few statements over arrays. */
export interface RowWriter<Statements> {
  readonly name: WriteName<unknown>;
  /** @param now the time of the batch */
  write(rows: readonly never[], now: string): Statements;
}

/** Has a row written. */
export function write<Row>(by: WriteName<Row>, row: NoInfer<Row>): RowWrite {
  return { by, row };
}

/** The rows that something is to write, in their order. */
export function rowsBy<Row>(by: WriteName<Row>, writes: readonly RowWrite[]): Row[] {
  return writes.flatMap((one) => (one.by === by ? [one.row as Row] : []));
}

/** Says how rows are written. */
export function writer<Row, Statements>(
  name: WriteName<Row>,
  write: (rows: readonly NoInfer<Row>[]) => Statements,
): RowWriter<Statements> {
  // The time is no value of these statements.
  return { name, write: (rows) => write(rows) };
}

/** The same of statements that write the time of the batch too. */
export function timedWriter<Row, Statements>(
  name: WriteName<Row>,
  write: (rows: readonly NoInfer<Row>[], now: string) => Statements,
): RowWriter<Statements> {
  return { name, write };
}
