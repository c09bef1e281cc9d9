import { type ClientBase, Pool as DriverPool, type PoolClient } from 'pg';
import {
  IDLE_CONNECTION_MS,
  IDLE_TRANSACTION_TIMEOUT_MS,
  LOCK_TIMEOUT_MS,
  POOL_WAIT_MS,
  STATEMENT_TIMEOUT_MS,
} from '../kit/limits.ts';
import { Connection, connectFailure, type Settings } from './connection.ts';
import { ConnectionLost, isStale, unavailable } from './failures.ts';

export interface PoolOptions {
  /** postgres:// address with role and password. */
  readonly url: string;
  /** Connections at most. */
  readonly size: number;
  /**
   * `index`: statements look rows up by key. Their plan is made once and always walks an index: a plan that is made
   * while a table is empty would otherwise scan it for ever after. `any`: the planner is free, for jobs and reports.
   */
  readonly plans: 'index' | 'any';
  /** Refuses every change: a statement that was meant for a transaction fails at once. */
  readonly readOnly?: boolean;
}

/** Connections of one pool, now. */
export interface PoolStats {
  readonly size: number;
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for one. */
  readonly waiting: number;
}

/** Connections for one purpose, so that a rush of one kind of work does not starve the others. */
export interface Pool {
  /**
   * Takes a connection out. Every one that was taken must be given back.
   *
   * @throws Refusal `unavailable` where none was free in time or none could be made
   */
  take(): Promise<Connection>;
  /** Gives a connection back; it is closed where it is lost or where the error says that it must not be used again. */
  giveBack(connection: Connection, error?: unknown): void;
  stats(): PoolStats;
  /** Closes the idle connections at once and each other one when it is given back; then resolves. */
  close(): Promise<void>;
}

/** Opens a pool. Connections are made when they are wanted. */
export function openPool(options: PoolOptions): Pool {
  const settings = sessionSettings(options);
  const pool = new DriverPool({
    connectionString: options.url,
    max: options.size,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    Client: Connection,
    onConnect: (client: ClientBase) => asConnection(client).prepareSession(settings),
  });
  // An idle connection broke. The pool has removed it and makes a new one when one is wanted.
  pool.on('error', () => undefined);
  return {
    take: () => take(pool),
    giveBack(connection, error) {
      const broken = connection.lost || error instanceof ConnectionLost || isStale(error);
      (connection as Connection & PoolClient).release(broken);
    },
    stats: () => ({ size: options.size, open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  };
}

/**
 * The driver's pool waits for ever, or as long for a free connection as for a new one. We wait longer than a new one may take, so that
 * who waited for one that cannot be made is told so.
 */
function take(pool: DriverPool): Promise<Connection> {
  // Where one is idle for each who waits there is nothing to give up on, and no timer is made for it.
  const isFree = pool.idleCount > pool.waitingCount;
  return new Promise((resolve, reject) => {
    let gaveUp = false;
    const giveUp = () => {
      gaveUp = true;
      reject(unavailable('No connection to the database is free.'));
    };
    const timer = isFree ? undefined : setTimeout(giveUp, POOL_WAIT_MS);
    pool.connect((error, client, release) => {
      if (gaveUp) return release();
      clearTimeout(timer);
      if (client !== undefined) return resolve(asConnection(client));
      reject(unavailable('The database cannot be reached.', connectFailure(error)));
    });
  });
}

function asConnection(client: ClientBase): Connection {
  return client as Connection;
}

function sessionSettings({ plans, readOnly = false }: PoolOptions): Settings {
  return {
    statement_timeout: `${STATEMENT_TIMEOUT_MS}ms`,
    lock_timeout: `${LOCK_TIMEOUT_MS}ms`,
    idle_in_transaction_session_timeout: `${IDLE_TRANSACTION_TIMEOUT_MS}ms`,
    ...(readOnly ? { default_transaction_read_only: 'on' } : {}),
    ...(plans === 'index' ? INDEX_PLANS : {}),
  };
}

/** What makes a connection walk indexes, whatever the tables' sizes were when a plan was made. */
export const INDEX_PLANS: Settings = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  // Planning anew for each set of parameters costs more than the look-up itself.
  plan_cache_mode: 'force_generic_plan',
};
