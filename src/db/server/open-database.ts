import { makeBatch } from '../batch/batch.ts';
import type { Batch, BatchObserver, BatchProgram, QueuedCommand } from '../batch/batch.types.ts';
import { makeGather } from '../reading/gather.ts';
import { makeFind, type ObserveGroup } from '../reading/group-read.ts';
import { makeRead } from '../reading/read.ts';
import { makeReportReads, REPORTS_AT_ONCE } from '../reading/report-reads.ts';
import type { ReportReads } from '../reading/report-reads.types.ts';
import { inTransaction, makeTransact } from '../transact.ts';
import type {
  Find,
  Gathered,
  GroupStatement,
  OnOneConnection,
  Read,
  Statement,
  Transact,
  Transaction,
  WorkTogether,
} from '../transaction.types.ts';
import { connect, type Settings } from './connection.ts';
import { isBusy, withoutEffect } from './failures.ts';
import { INDEX_PLANS, openPool, type Pool, type PoolStats } from './pool.ts';

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

/** What connections are kept apart for. */
export type Purpose = 'reads' | 'changes' | 'money' | 'background' | 'reports';

/** What an operator may change of a batch, and who is told about it. */
export interface BatchSettings {
  /** Commands in one batch at most; 1 is one transaction for each. */
  readonly batchMax: number;
  readonly observer: BatchObserver;
}

/** The service's database, as `server.ts`, the commands and the jobs hold it. */
export interface Database {
  /** Runs one statement that only reads. */
  readonly read: Read;
  readonly transact: Transact;
  /** Makes a look-up that gathers its callers into one statement: once for each statement. */
  find<Key extends object, Row extends object>(statement: GroupStatement<Key>): Find<Key, Row>;
  /** Makes work that shares transactions with other work of its kind: once for each kind. */
  gather<Job, Result>(work: WorkTogether<Job, Result>): Gathered<Job, Result>;
  /** Makes an engine that writes commands in groups: once for each program. */
  batch<Command extends QueuedCommand, Workspace, Result>(
    program: BatchProgram<Command, Workspace, Result>,
    options: BatchSettings,
  ): Batch<Command, Result>;
  /**
   * Runs work that reads much: on a connection of its own without time-outs, all of it as of one instant.
   *
   * @throws Refusal `unavailable` where the database went away or had no room
   */
  readonly report: Transact;
  /**
   * The same for several pieces, one after the other on one connection, each as of an instant of its own.
   *
   * @throws ConnectionLost where no connection could be made
   */
  readonly reports: OnOneConnection;
  /**
   * The same for work that changes much and long: on a connection of its own without time-outs. What it locks it locks as
   * long as it takes.
   *
   * @throws Refusal `unavailable` where the database went away or had no room, and nothing was done
   */
  readonly longWork: Transact;
  /** The same for jobs: the planner is free, and they do not take the connections of requests. */
  readonly background: { readonly read: Read; readonly transact: Transact };
  /** For what reads many rows of one payee while its caller waits. */
  readonly reportReads: ReportReads;
  /**
   * Resolves where the database answers.
   *
   * @throws Refusal `unavailable`
   */
  ping(): Promise<void>;
  /**
   * Resolves if each pool has a connection to give, or gave one lately, and those for changes can do the work and commit.
   *
   * @throws StatementFailed if the server refuses a statement, such as for want of a right
   * @throws Refusal `unavailable`
   */
  serves(change: (transaction: Transaction) => Promise<unknown>): Promise<void>;
  stats(): Readonly<Record<Purpose, PoolStats>>;
  /** Waits for what is under way, then closes all connections. Safe to call twice. */
  close(): Promise<void>;
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
