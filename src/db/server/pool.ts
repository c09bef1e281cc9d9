import { type ClientBase, Pool as DriverPool, type PoolClient } from 'pg';
import {
  IDLE_CONNECTION_MS,
  IDLE_TRANSACTION_TIMEOUT_MS,
  LOCK_TIMEOUT_MS,
  STATEMENT_TIMEOUT_MS,
} from '../../kit/limits.ts';
import { Connection, connectFailure, type Settings } from './connection.ts';
import { ConnectionLost, isStale, unavailable } from './failures.ts';

/** Milliseconds. Longer than to make a connection or to wait for a lock: who holds one may be waiting for either. */
const POOL_WAIT_MS = 2_500;
/** Callers that may wait for a connection of one pool. Those beyond it are refused at once: they would only give up later. */
export const POOL_QUEUE_CALLERS = 2_000;
/** Milliseconds in which a pool that has served a caller counts as one that works. */
const LATELY_MS = 5_000;

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
   * @throws Refusal `unavailable` if none is free in time, if too many callers wait already, or if none can be made
   */
  take(): Promise<Connection>;
  /** Gives a connection back; it is closed where it is lost or where the error says that it must not be used again. */
  giveBack(connection: Connection, error?: unknown): void;
  stats(): PoolStats;
  /** Whether a caller had a connection within the last seconds: a pool that is busy works. */
  servedLately(): boolean;
  /** Closes the idle connections at once and each other one when it is given back; then resolves. */
  close(): Promise<void>;
}

/** Opens a pool. Connections are made when they are wanted. */
export function openPool(options: PoolOptions): Pool {
  const settings = sessionSettings(options);
  const driver = new DriverPool({
    connectionString: options.url,
    max: options.size,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    Client: Connection,
    onConnect: (client: ClientBase) => asConnection(client).prepareSession(settings),
  });
  // An idle connection broke. The pool has removed it and makes a new one when one is wanted.
  driver.on('error', () => undefined);
  const { take, leave, waiting, servedLately, close } = queueFor(driver, options.size);
  return {
    take,
    servedLately,
    giveBack(connection, error) {
      const broken = connection.lost || error instanceof ConnectionLost || isStale(error);
      (connection as Connection & PoolClient).release(broken);
      leave();
    },
    stats: () => ({ size: options.size, open: driver.totalCount, idle: driver.idleCount, waiting: waiting() }),
    close,
  };
}

/** One caller who wants a connection. */
interface Caller {
  readonly resolve: (connection: Connection) => void;
  readonly reject: (error: unknown) => void;
  hasGivenUp: boolean;
  timer: NodeJS.Timeout | undefined;
}

/**
 * A bounded queue in front of the driver's pool. The driver's own queue has no bound, and a caller who gives up stays in it:
 * a freed connection then goes through all abandoned entries, one call inside the other, until the stack overflows. So the
 * driver is asked only for as many connections as it may have at once, and its own queue stays empty.
 */
function queueFor(driver: DriverPool, size: number) {
  const queue = new Set<Caller>();
  /** Callers that have a connection, or that the driver makes one for. */
  let served = 0;
  let servedAt = Number.NEGATIVE_INFINITY;
  let closing: Promise<void> | undefined;

  const serveNext = (): void => {
    const [next] = queue;
    if (next === undefined || served >= size) return;
    queue.delete(next);
    serve(next);
  };
  const leave = (): void => {
    served--;
    serveNext();
  };
  const serve = (caller: Caller): void => {
    served++;
    driver.connect((error, client, release) => {
      clearTimeout(caller.timer);
      if (client === undefined) {
        caller.reject(unavailable('The database cannot be reached.', connectFailure(error)));
        leave();
      } else if (caller.hasGivenUp) {
        release();
        leave();
      } else {
        servedAt = performance.now();
        caller.resolve(asConnection(client));
      }
    });
  };
  const giveUp = (caller: Caller): void => {
    caller.hasGivenUp = true;
    queue.delete(caller);
    caller.reject(unavailable('No connection to the database is free.'));
  };

  return {
    waiting: () => queue.size,
    servedLately: () => performance.now() - servedAt < LATELY_MS,
    leave,
    /**
     * A caller waits longer than a new connection may take, so that a caller whose connection cannot be made is told so. If a
     * connection is idle, no caller waits and no timer is made.
     */
    take: (): Promise<Connection> =>
      new Promise((resolve, reject) => {
        const caller: Caller = { resolve, reject, hasGivenUp: false, timer: undefined };
        const isFree = served < size;
        if (isFree && driver.idleCount > driver.waitingCount) return serve(caller);
        if (!isFree && queue.size >= POOL_QUEUE_CALLERS) {
          return reject(unavailable('Too many requests wait for a connection to the database.'));
        }
        caller.timer = setTimeout(giveUp, POOL_WAIT_MS, caller);
        if (isFree) serve(caller);
        else queue.add(caller);
      }),
    close: (): Promise<void> => {
      closing ??= driver.end();
      for (const caller of queue) {
        clearTimeout(caller.timer);
        giveUp(caller);
      }
      return closing;
    },
  };
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
