import { Client, type ClientConfig, type QueryResult } from 'pg';
import { CONNECT_TIMEOUT_MS } from '../../kit/limits.ts';
import type { Call } from '../batch/batch.types.ts';
import { Flight, type KnownColumns } from '../reading/flight.ts';
import { VALUE_TYPES } from '../rows/values.ts';
import type { Rows, Statement } from '../transaction.types.ts';
import { ConnectionLost, strip } from './failures.ts';
import { asksForScram, requireScram } from './scram.ts';

/** The server ends a statement before this; no answer by then means that the connection is broken. */
const ANSWER_TIMEOUT_MS = 6_000;
/** Longer than any script takes: what a timer can count at most, some 24 days. */
const LONGEST_MS = 2 ** 31 - 1;

/** Settings of a session by their PostgreSQL names. */
export type Settings = Readonly<Record<string, string>>;

/**
 * One connection to PostgreSQL. It hears errors and warnings also while it is checked out (an error event without a
 * listener would end the process), and no raw error of the driver leaves it.
 */
export class Connection extends Client {
  /** The connection broke, or an answer did not come: it is of no further use. */
  lost = false;
  /** How many warnings the server has sent. One during COMMIT means that the commit may not have reached the standby. */
  warnings = 0;
  readonly #columns: KnownColumns = new Map();
  readonly #answerMs: number;
  #isOverdue = false;

  /**
   * @param answerMs what an answer may take; the driver's own limit of time would leave the connection in use
   */
  constructor(config: ClientConfig = {}, answerMs = ANSWER_TIMEOUT_MS) {
    super({
      ...config,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      // Finds out in the end that a peer has silently gone, also on a connection that is idle.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      types: VALUE_TYPES,
      // Statements that are started together travel together.
      pipeline: true,
    });
    if (asksForScram(config.connectionString)) requireScram(this);
    this.#answerMs = answerMs;
    this.on('error', () => {
      this.lost = true;
    });
    this.on('end', () => {
      this.lost = true;
    });
    // By class of SQLSTATE: the word for the severity is in the server's language.
    this.on('notice', (notice) => {
      if (!notice.code?.startsWith('00')) this.warnings++;
    });
  }

  /**
   * Runs one statement, prepared once under its name.
   *
   * @throws StatementFailed where the server refused it; the connection lives on
   * @throws ConnectionLost where it is not known how it ended
   */
  async run<Row>(statement: Statement, values: readonly unknown[]): Promise<Rows<Row>> {
    const [rows] = await this.fly([{ statement, values }]);
    return rows as Rows<Row>;
  }

  /**
   * Runs statements that do not need each other's results, in their order and on one way to the server and back. Where one
   * fails, those behind it are not run.
   *
   * @returns what each answered
   * @throws StatementFailed, ConnectionLost as `run`, of the first that failed
   */
  async fly(calls: readonly Call[]): Promise<readonly Rows<unknown>[]> {
    return (await this.#send(calls)).answers;
  }

  /**
   * Runs statements and ends the transaction behind them, on one way to the server and back. Where a statement fails, the
   * server skips the COMMIT with all that comes behind it.
   *
   * @param timeoutMs how long to wait for the answer; then the connection counts as lost
   * @returns the tag of the COMMIT
   * @throws StatementFailed, ConnectionLost as `run`, of the first that failed; the connection is lost where the COMMIT was
   * answered before
   */
  async commit(writes: readonly Call[], timeoutMs: number): Promise<string> {
    return (await this.#send([...writes, COMMIT], timeoutMs)).tag;
  }

  #send(calls: readonly Call[], timeoutMs = this.#answerMs): Promise<Flight> {
    return new Promise((resolve, reject) => {
      const isAnswered = this.#expect(timeoutMs);
      const flight = new Flight(calls, this.#columns, (error) => {
        isAnswered();
        if (!error) return resolve(flight);
        // It was committed, and yet something failed: it must not be taken for undone.
        if (flight.answers.length === calls.length && calls.at(-1) === COMMIT) this.lost = true;
        reject(this.#explain(error, flight.name));
      });
      this.query(flight);
    });
  }

  /**
   * Runs a command or a script of ours, without values, and returns the tag of the (last) command: COMMIT, CREATE, ….
   *
   * @throws StatementFailed, ConnectionLost as `run`
   */
  async command(text: string): Promise<string> {
    const isAnswered = this.#expect(this.#answerMs);
    try {
      // A script has several results, which the driver's types do not say.
      const result: QueryResult | QueryResult[] = await this.query(text);
      return (Array.isArray(result) ? result.at(-1) : result)?.command ?? '';
    } catch (error) {
      throw this.#explain(error, 'command');
    } finally {
      isAnswered();
    }
  }

  /**
   * Sends what is started within a call as one piece, where each statement would be a packet and a system call of its own.
   *
   * @param start starts statements and does not wait for them
   */
  together<Result>(start: () => Result): Result {
    const { stream } = this.connection;
    stream.cork();
    try {
      return start();
    } finally {
      stream.uncork();
    }
  }

  /**
   * Sets the session up. Done by a statement and not by start-up parameters, which an address may override and a
   * connection pooler may not pass on.
   *
   * @throws ConnectionLost on a standby: it shows a past that the primary may have left behind, and takes no change
   */
  async prepareSession(settings: Settings): Promise<void> {
    const all = { ...COMMON_SETTINGS, ...settings };
    const { rows } = await this.run<{ isStandby: boolean }>(SET_UP, [Object.keys(all), Object.values(all)]);
    if (rows[0]?.isStandby !== false) throw new ConnectionLost('the server is a standby');
  }

  /**
   * Waits for an answer, and gives the connection up where it is overdue: the driver then ends all that waits for it with an error.
   *
   * @returns to be called when it is there
   */
  #expect(answerMs: number): () => void {
    const timer = setTimeout(() => {
      this.#isOverdue = true;
      this.lost = true;
      this.connection.stream.destroy();
    }, answerMs).unref();
    return () => clearTimeout(timer);
  }

  #explain(error: unknown, statement: string): unknown {
    if (this.#isOverdue) return new ConnectionLost(`${statement}: no answer in time`);
    const stripped = strip(error, statement);
    if (stripped instanceof ConnectionLost) this.lost = true;
    if (this.lost && stripped === error)
      return new ConnectionLost(`${statement}: the connection broke`, { cause: error });
    return stripped;
  }
}

const COMMIT: Call = { statement: { name: 'commit', text: 'commit' }, values: [] };

const COMMON_SETTINGS: Settings = {
  TimeZone: 'UTC',
  // A role or database may have others, and the driver reads dates in this form alone.
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  search_path: 'public',
  application_name: 'kontor',
  // Rules count on it: after a lock is granted, the next statement sees what the other transaction left.
  default_transaction_isolation: 'read committed',
  // Compiling a plan takes longer than any statement of ours.
  jit: 'off',
};

const SET_UP: Statement = {
  name: 'set-up-session',
  text: `
    select pg_is_in_recovery() as "isStandby", count(set_config(name, value, false))
    from unnest($1::text[], $2::text[]) as setting(name, value)`,
};

/**
 * Opens a single connection, for commands that need one session to themselves; close it with `end()`.
 *
 * @param settings of the session, above those that all have
 * @throws ConnectionLost where none could be made
 */
export async function connect(url: string, settings: Settings = {}): Promise<Connection> {
  const connection = new Connection({ connectionString: url }, LONGEST_MS);
  try {
    await connection.connect();
    await connection.prepareSession(settings);
    return connection;
  } catch (error) {
    await connection.end().catch(() => undefined);
    throw connectFailure(error);
  }
}

/** Whatever kept a connection from being made, as one error. */
export function connectFailure(error: unknown): ConnectionLost {
  if (error instanceof ConnectionLost) return error;
  const reason = strip(error, 'connect');
  return new ConnectionLost(reason instanceof Error ? reason.message : 'unknown reason', { cause: reason });
}

/** The role that an address names. */
export function roleOf(url: string): string {
  return new Client(url).user ?? '';
}

/** How the driver reads an address: a host, or the folder of a socket; and whether it checks who answers there. */
export function wayTo(url: string): { readonly host: string; readonly isVerified: boolean } {
  const { host, ssl } = new Client({ connectionString: url });
  // The driver's types say true or false; where an address has options of TLS it is an object of these.
  const options: unknown = ssl;
  const isLax = typeof options === 'object' && options !== null && Reflect.get(options, 'rejectUnauthorized') === false;
  return { host, isVerified: Boolean(ssl) && !isLax };
}
