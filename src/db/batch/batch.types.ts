import type { Statement } from '../transaction.types.ts';

/** One statement with its values, as data: who makes it and who runs it are apart. */
export interface Call {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** A change that must touch all rows that it is given; otherwise nothing of its batch is committed. */
export interface GuardedCall extends Call {
  /** What it must count; 0 where it is given no row. */
  readonly expected: number;
  /** It fails by itself where it touches others, so that the COMMIT travels with it. */
  readonly isSure: boolean;
}

/** What the queue must know of a command. The rest is between the caller and the program. */
export interface QueuedCommand {
  /** Whose it is: payees take turns, and each may fill a share of the queue. */
  readonly payeeId: string;
  /** What it locks. Commands that have one in common run in the order in which they came, never in two batches at once. */
  readonly lockKeys: readonly string[];
  /** What it claims. Commands that have one in common never share a batch: the second one sees what the first one left. */
  readonly claimKeys: readonly string[];
}

/** The rows that each call of a flight answered. */
export type Answers = readonly (readonly unknown[])[];

/** What the calls of `ahead`, of `open` and of `openMore` answered, call by call. */
export interface OpenAnswers {
  readonly ahead: Answers;
  readonly first: Answers;
  readonly more: Answers;
}

/** What the calls before the writes brought. */
export interface Opened<Command, Workspace> {
  readonly workspace: Workspace;
  /** Commands that cannot run now because another transaction holds what they lock. */
  readonly leftOut: ReadonlySet<Command>;
}

/**
 * What a batch does. The engine knows when: it gathers commands, sends the calls of a flight together, and commits only
 * what has answered as expected. The program knows what, and no connection.
 */
export interface BatchProgram<Command extends QueuedCommand, Workspace, Result> {
  /**
   * Calls that go before `begin` in the first flight, each a transaction of its own: it stays, whatever becomes of the
   * batch, and its locks are gone before the batch takes any.
   */
  ahead(commands: readonly Command[]): readonly Call[];
  /**
   * The calls of the first flight, after `begin`: claim, lock, load, clock. They run in this order; one that is undefined
   * has nothing to ask and answers no rows.
   *
   * @param wait whether to wait for locks: when the commands had to leave too many batches because of the same one
   */
  open(commands: readonly Command[], wait: boolean): readonly (Call | undefined)[];
  /**
   * The calls of a flight between the first and the writes, for what only few batches need. Most have none, and that
   * flight is not made.
   */
  openMore(commands: readonly Command[], answers: Answers): readonly Call[];
  /** Makes the workspace of what the calls answered. */
  read(commands: readonly Command[], answers: OpenAnswers, wait: boolean): Opened<Command, Workspace>;
  /** Decides one command on the state that the one before it left. What it throws costs this command only. */
  decide(workspace: Workspace, command: Command): Result;
  /** Takes back what the batch did for a command that has no effect: it was left out, or `decide` threw. */
  drop(workspace: Workspace, command: Command): void;
  /** The calls of the last flight, which the commit ends. */
  writes(workspace: Workspace): readonly GuardedCall[];
}

/** Bounds of a queue and its batches. Times in milliseconds. */
export interface BatchLimits {
  /** Commands in one batch at most; 1 is one transaction for each. */
  readonly batchSize: number;
  /** Batches under way at once that wait for no lock. */
  readonly lanes: number;
  /** Batches under way at once that wait for a lock: each is of commands that others would not let go. */
  readonly patientLanes: number;
  /** Commands that may wait. One payee may fill a quarter. */
  readonly queueLength: number;
  /** A command that has waited longer is refused when its turn comes. */
  readonly queueAgeMs: number;
  /** How long a commit whose outcome is not known is asked after, by running its commands again. */
  readonly unknownMs: number;
}

/** How one batch went. */
export interface BatchTimes {
  readonly size: number;
  /** Begin, claims, locks and loads. */
  readonly beginMs: number;
  /** Rules. */
  readonly decideMs: number;
  /** Writes and COMMIT: statements, the disk, and the standby where there is one. */
  readonly commitMs: number;
}

/** Is told what happens, for metrics. */
export interface BatchObserver {
  /** A batch was committed. */
  committed(times: BatchTimes): void;
  /** Commands left their batch because another transaction held what they lock. */
  leftOut(commands: number): void;
  /** A batch failed, and each of its commands runs again on its own. */
  split(commands: number): void;
  /** It is not known whether a batch was committed; its commands run again. */
  unknown(commands: number): void;
}

/** How full the queue is, now. */
export interface QueueStats {
  readonly length: number;
  /** How long the oldest command has waited, in milliseconds; 0 where none waits. */
  readonly oldestMs: number;
}

/** A queue whose commands are written in groups, each group in one transaction. */
export interface Batch<Command extends QueuedCommand, Result> {
  /**
   * Runs a command in one of the next batches; resolves when it is committed.
   *
   * @throws what the program's `decide` throws
   * @throws Refusal `unavailable` where the queue is full, the command waited too long for its turn or for a lock, or the
   * database is away: nothing was done
   * @throws Refusal `systemerror` where it is not known whether it was committed
   */
  submit(command: Command): Promise<Result>;
  stats(): QueueStats;
}
