import { makeBatch } from '../batch/batch.ts';
import { makeGather } from '../reading/gather.ts';
import { makeFind, type ObserveGroup } from '../reading/group-read.ts';
import { makeRead } from '../reading/read.ts';
import { makeReportReads, REPORTS_AT_ONCE } from '../reading/report-reads.ts';
import { inTransaction, makeTransact } from '../transact.ts';
import type { OnOneConnection, Statement, Transact } from '../transaction.types.ts';
import { connect, type Settings } from './connection.ts';
import type { Database, Purpose } from './database.types.ts';
import { isBusy, withoutEffect } from './failures.ts';
import { INDEX_PLANS, openPool, type Pool } from './pool.ts';

/** Batches under way at once: while one waits for the disk the other one's statements run. */
const BATCH_LANES = 2;
/** Commands of money that may wait. One payee may fill a quarter; both are seconds of work. */
const BATCH_QUEUE_COMMANDS = 10_000;
/** Milliseconds that a command of money may wait for its turn. With a wait for a lock it stays below the handler's time. */
const BATCH_QUEUE_AGE_MS = 2_500;
/** Batches that wait for a lock at once: one whose holder is stuck must not hold up another whose holder is only busy. */
const BATCH_PATIENT_LANES = 2;
/** Milliseconds that an unknown commit is asked after. */
const BATCH_UNKNOWN_MS = 5_000;

export interface DatabaseOptions {
  /** postgres:// address of the service's role. */
  readonly url: string;
  /** Connections at most, by purpose. All together must stay below the server's `max_connections`. */
  readonly sizes?: Partial<Record<Purpose, number>>;
  /** Hears of each grouped read. */
  readonly observeGroup?: ObserveGroup;
}

/**
 * Two cores do not work faster with more connections; these keep one slow statement from holding up the rest. They are
 * made when they are wanted.
 */
export const CONNECTIONS: Readonly<Record<Purpose, number>> = {
  reads: 6,
  changes: 8,
  money: BATCH_LANES + BATCH_PATIENT_LANES,
  background: 3,
  reports: REPORTS_AT_ONCE,
};

const BATCH_LIMITS = {
  lanes: BATCH_LANES,
  patientLanes: BATCH_PATIENT_LANES,
  queueLength: BATCH_QUEUE_COMMANDS,
  queueAgeMs: BATCH_QUEUE_AGE_MS,
  unknownMs: BATCH_UNKNOWN_MS,
};

/** Opens the database. Nothing is sent before the first use. */
export function openDatabase({ url, sizes, observeGroup }: DatabaseOptions): Database {
  const size = { ...CONNECTIONS, ...sizes };
  const reads = openPool({ url, size: size.reads, plans: 'index', readOnly: true });
  const changes = openPool({ url, size: size.changes, plans: 'index' });
  const money = openPool({ url, size: size.money, plans: 'index' });
  const background = openPool({ url, size: size.background, plans: 'any' });
  const reports = openPool({ url, size: size.reports, plans: 'any', readOnly: true });
  const read = makeRead(reads);
  const transact = makeTransact(changes);
  let closed: Promise<unknown> | undefined;
  return {
    read,
    transact,
    find: (statement) => makeFind(reads, statement, observeGroup),
    gather: (work) => makeGather(transact, work),
    batch: (program, { batchMax, observer }) =>
      makeBatch({ pool: money, program, limits: { ...BATCH_LIMITS, batchSize: batchMax }, observer }),
    report: makeAlone(url, ONE_INSTANT),
    reports: makeOnOneConnection(url, ONE_INSTANT),
    longWork: makeAlone(url, INDEX_PLANS),
    background: { read: makeRead(background), transact: makeTransact(background) },
    reportReads: makeReportReads(makeRead(reports)),
    async ping() {
      await read(PING, []);
    },
    async serves(change) {
      const look = async (pool: Pool, work: () => Promise<unknown>): Promise<void> => {
        // Under load a look may be refused a connection that others get: the pool works then.
        const wasServing = pool.servedLately();
        await work().catch((error) => {
          if (!wasServing || !isBusy(error)) throw error;
        });
      };
      const tryChange = (pool: Pool) => look(pool, () => makeTransact(pool)(change));
      const tryRead = (pool: Pool) => look(pool, () => makeRead(pool)(PING, []));
      await Promise.all([tryRead(reads), tryRead(background), tryChange(changes), tryChange(money)]);
    },
    stats: () => ({
      reads: reads.stats(),
      changes: changes.stats(),
      money: money.stats(),
      background: background.stats(),
      reports: reports.stats(),
    }),
    async close() {
      closed ??= Promise.all([reads.close(), changes.close(), money.close(), background.close(), reports.close()]);
      await closed;
    },
  };
}

const PING: Statement = { name: 'ping', text: 'select 1' };

const ONE_INSTANT: Settings = {
  default_transaction_isolation: 'repeatable read',
  default_transaction_read_only: 'on',
};

/** Makes a `Transact` for work that takes long: each time on a connection of its own, without time-outs. */
function makeAlone(url: string, settings: Settings): Transact {
  const onOne = makeOnOneConnection(url, settings);
  return async (work) => {
    try {
      return await onOne((transact) => transact(work));
    } catch (error) {
      throw withoutEffect(error);
    }
  };
}

function makeOnOneConnection(url: string, settings: Settings): OnOneConnection {
  return async (works) => {
    const connection = await connect(url, settings);
    try {
      return await works((work) =>
        inTransaction(connection, () => work({ run: (statement, values) => connection.run(statement, values) })),
      );
    } finally {
      await connection.end();
    }
  };
}
