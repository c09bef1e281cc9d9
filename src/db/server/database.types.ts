import type { Batch, BatchObserver, BatchProgram, QueuedCommand } from '../batch/batch.types.ts';
import type { ReportReads } from '../reading/report-reads.types.ts';
import type {
  Find,
  Gathered,
  GroupStatement,
  OnOneConnection,
  Read,
  Transact,
  Transaction,
  WorkTogether,
} from '../transaction.types.ts';
import type { PoolStats } from './pool.ts';

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
