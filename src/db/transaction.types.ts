/**
 * What a verb gets to talk to the database. A verb never opens a transaction itself: `server.ts`, the commands and the
 * jobs do, through one `transact`, so that verbs can call each other inside the same one.
 */
export interface Transaction {
  /**
   * Runs one statement, prepared once per connection under its name. Statements that do not need each other's results
   * may be started together and awaited with `Promise.all`: they travel together.
   *
   * @param values for `$1`, `$2`, …: an array becomes an SQL array, any other object JSON; pass a JSON array as text
   * @returns the rows; the number of rows that a change touched is `count`
   */
  run<Row>(statement: Statement, values: readonly unknown[]): Promise<Rows<Row>>;
}

/** A named statement: the name is unique in the service and shows up in logs and metrics. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export interface Rows<Row> {
  readonly rows: readonly Row[];
  /** Rows returned by a query, or changed by a command. */
  readonly count: number;
}

/**
 * Runs the work in one transaction: commits when it resolves, rolls back when it throws. Deadlocks (40P01) and
 * serialization failures (40001) are tried again, the whole work from its start.
 *
 * @throws Refusal `unavailable` where the database is away or too busy, which means that nothing was done
 * @throws Refusal `systemerror` where the outcome of the commit is not known
 */
export type Transact = <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>;

/** Does work in several transactions, one after the other on one connection. */
export type OnOneConnection = <Result>(works: (transact: Transact) => Promise<Result>) => Promise<Result>;

/**
 * Runs one statement that only reads, outside a transaction.
 *
 * @throws Refusal `unavailable` where the database is away or too busy
 */
export type Read = Transaction['run'];

/** A look-up of at most one row by its key. Look-ups that are asked for together become one statement. */
export interface GroupStatement<Key> extends Statement {
  /** Tells keys apart. */
  nameOf(key: Key): string;
  /** The values of the statement: an array for each column of the key. */
  values(keys: readonly Key[]): unknown[];
}

/**
 * Looks one row up; undefined where there is none. Callers with the same key may be given the same object.
 *
 * @throws Refusal `unavailable` where the database is away or too many look-ups wait
 */
export type Find<Key, Row> = (key: Key) => Promise<Readonly<Row> | undefined>;

/** Does jobs in one transaction, and gives their results in the same order. It may be given the same jobs again. */
export type WorkTogether<Job, Result> = (transaction: Transaction, jobs: readonly Job[]) => Promise<readonly Result[]>;

/**
 * Does a job with others that come at the same time; resolves when it is committed.
 *
 * @throws what the work throws for this job alone, and as `Transact`
 */
export type Gathered<Job, Result> = (job: Job) => Promise<Result>;
