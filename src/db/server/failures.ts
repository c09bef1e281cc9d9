import { DatabaseError } from 'pg';
import { Refusal } from '../../kit/errors.ts';
import { Trouble } from '../../kit/work/trouble.ts';

/**
 * A statement that the server refused. It carries what names the fault and nothing that holds a value: the driver's
 * `detail`, `where`, `hint`, `internalQuery` and parameters quote rows, so they end here (security: card numbers).
 */
export class StatementFailed extends Error {
  override readonly name = 'StatementFailed';
  /** SQLSTATE, five characters (PostgreSQL, appendix A). */
  readonly code: string;
  /** Name of the constraint that was broken, where one was. */
  readonly constraint: string | undefined;
  /** Name of the statement. */
  readonly statement: string;

  constructor(statement: string, error: DatabaseError) {
    super(`${statement}: ${describe(error)}`);
    this.code = error.code ?? '';
    this.constraint = error.constraint;
    this.statement = statement;
  }
}

/** The database is away: the connection broke or could not be made, or the server goes down or has become a standby. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** A database that Kontor does not work with. The message is for the operator: what is wrong, and what to do. */
export class DatabaseRefused extends Trouble {
  override readonly name = 'DatabaseRefused';
}

/** Whether a statement failed because it would have broken the constraint of this name. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof StatementFailed && error.constraint === constraint;
}

/**
 * Connection exceptions (08), a server that goes down or is not up yet (57P01 to 57P03), a dropped database (57P04), an
 * idle session that was ended (57P05), and a write that met a read-only server (25006): the primary is elsewhere now.
 */
const AWAY = /^(08|57P0|25006)/;

/** No room or too many connections (53), a lock (55P03) or an answer (57014) that took too long. */
const BUSY = /^(53|55P03|57014)/;

/** Serialization failure, deadlock. */
const AGAIN = /^(40001|40P01)$/;

/** A prepared statement that no longer fits its table (0A000) or is unknown (26000): the connection must be made anew. */
const STALE = /^(0A000|26000)$/;

/**
 * Classes of SQLSTATE whose message names tables, constraints and keywords, never a value. Others do quote values:
 * 22P02 says `invalid input syntax for type uuid: "…"`.
 */
const QUOTABLE = /^(08|0A|23|25|26|28|3D|40|42|53|55|57|P0)/;

/** The driver's error as one of ours, stripped of whatever may hold a value. Errors of our own pass unchanged. */
export function strip(error: unknown, statement: string): unknown {
  if (!(error instanceof DatabaseError)) return error;
  if (AWAY.test(error.code ?? '')) {
    return new ConnectionLost(describe(error), { cause: new StatementFailed(statement, error) });
  }
  return new StatementFailed(statement, error);
}

function describe(error: DatabaseError): string {
  const code = error.code ?? 'no SQLSTATE';
  const on = error.constraint === undefined ? '' : ` on ${error.constraint}`;
  return QUOTABLE.test(code) ? `${code}${on}: ${error.message}` : `${code}${on}`;
}

/** The database is away; a statement that was under way may have been done or not. */
export function isLost(error: unknown): boolean {
  return error instanceof ConnectionLost;
}

/** Two transactions were in each other's way: the same work, from its start, may succeed. */
export function isCollision(error: unknown): boolean {
  return error instanceof StatementFailed && AGAIN.test(error.code);
}

/** Another transaction held a lock for too long. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof StatementFailed && error.code === '55P03';
}

/** The connection answers, and yet must not be used again. */
export function isStale(error: unknown): boolean {
  return error instanceof StatementFailed && STALE.test(error.code);
}

/**
 * What the caller is told once it is sure that nothing was done: `unavailable` where the database is away or busy, or a migration
 * has just changed it. Any other error is our bug, or the work's own refusal, and passes unchanged.
 */
export function withoutEffect(error: unknown): unknown {
  if (error instanceof ConnectionLost) return unavailable('The database cannot be reached.', error);
  if (error instanceof StatementFailed && (BUSY.test(error.code) || AGAIN.test(error.code))) {
    return unavailable('The database is too busy.', error);
  }
  if (isStale(error)) return unavailable('The database was just brought to another version.', error);
  return error;
}

/** Whether no connection was free in time, or too many callers wait for one; the database itself has refused nothing. */
export function isBusy(error: unknown): boolean {
  return error instanceof Refusal && error.code === 'unavailable' && error.cause === undefined;
}

/** Refusal `unavailable`: nothing was done, and the same may be tried again in a second. */
export function unavailable(detail: string, cause?: unknown): Refusal {
  return new Refusal('unavailable', detail, { retryAfterSeconds: 1, cause });
}
