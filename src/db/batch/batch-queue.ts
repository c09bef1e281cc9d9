import { unavailable } from '../server/failures.ts';
import type { BatchLimits, QueuedCommand, QueueStats } from './batch.types.ts';

/** Batches that a command may have to leave because of a lock before it waits for it, with all that need the same one. */
const BATCH_ROUNDS = 3;

/** A command in the queue or in a batch, and its caller who waits. */
export interface Waiting<Command, Result> {
  readonly command: Command;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
  /** Milliseconds of a clock that does not jump. */
  readonly since: number;
  /** Batches that it had to leave because another transaction held what it locks. */
  rounds: number;
  /** A batch with it may have been committed, so that it can no longer be said to have no effect. */
  mayHaveCommitted: boolean;
}

/** What can be asked whether it has a key. */
export type Keys = Pick<ReadonlySet<string>, 'has'>;

/** What a batch is taken for. */
export interface Round<Command, Result> {
  /** Keys of commands under way: who needs one of them waits, and so does who needs one of the waiting one's. */
  readonly busy: Keys;
  /** Milliseconds of a clock that does not jump. */
  readonly now: number;
  /** Whether those that must wait for their locks try once more with the others, because no connection is free to wait. */
  readonly mayRideAlong: boolean;
  /** Is given those who have waited too long for their turn. */
  readonly refuse: (old: Waiting<Command, Result>) => void;
}

/**
 * A payee's line while a batch is taken, and the place of the first command that was not looked at. Nothing is added to the
 * line meanwhile; where a command is taken out of it, it is made anew.
 */
interface Turn<Command, Result> {
  readonly line: readonly Waiting<Command, Result>[];
  at: number;
}

/** One payee may fill this share of the queue, so that one who floods it leaves room for the others. */
const PAYEE_SHARE = 1 / 4;

/**
 * Commands that wait for their turn: one line for each payee. Payees take turns; within a payee the order is kept.
 */
export class BatchQueue<Command extends QueuedCommand, Result> {
  readonly #limits: BatchLimits;
  readonly #lines = new Map<string, Waiting<Command, Result>[]>();
  #length = 0;

  constructor(limits: BatchLimits) {
    this.#limits = limits;
  }

  /** @throws Refusal `unavailable` where the queue, or the payee's share of it, is full */
  add(waiting: Waiting<Command, Result>): void {
    const { payeeId } = waiting.command;
    const { queueLength } = this.#limits;
    const inLine = this.#lines.get(payeeId)?.length ?? 0;
    if (this.#length >= queueLength || inLine >= Math.max(1, queueLength * PAYEE_SHARE)) {
      throw unavailable('Too much work is waiting.');
    }
    this.#line(payeeId).push(waiting);
    this.#length++;
  }

  /** Puts commands that had to leave their batch at the head again, in their order. */
  putBack(all: readonly Waiting<Command, Result>[]): void {
    for (const waiting of all.toReversed()) {
      this.#line(waiting.command.payeeId).unshift(waiting);
      this.#length++;
    }
  }

  /** Takes the next batch: all that can run, one command of each payee in turn. */
  take(round: Round<Command, Result>): Waiting<Command, Result>[] {
    const { batchSize } = this.#limits;
    const blocked = new Set<string>();
    const taken: Waiting<Command, Result>[] = [];
    let turns: Turn<Command, Result>[] = [...this.#lines.values()].map((line) => ({ line, at: 0 }));
    while (turns.length > 0 && taken.length < batchSize) {
      turns = turns.filter((turn) => {
        const next = taken.length < batchSize ? this.#next(turn, blocked, round) : undefined;
        if (next !== undefined) taken.push(next);
        return next !== undefined;
      });
    }
    // Who must wait only rides along: a batch of nothing else would be tried again and again in vain.
    if (taken.every(mustWait)) return [];
    this.#remove(new Set(taken));
    return taken;
  }

  /**
   * Takes a command that has left so many batches that it must wait for its locks, and with it those behind it that lock
   * nothing else: by themselves they would wait for the same, one after the other.
   */
  takePatient(busy: Keys): Waiting<Command, Result>[] {
    for (const line of this.#lines.values()) {
      const group = this.#patientGroup(line, busy);
      if (group.length === 0) continue;
      this.#remove(new Set(group));
      return group;
    }
    return [];
  }

  #patientGroup(line: readonly Waiting<Command, Result>[], busy: Keys): Waiting<Command, Result>[] {
    // Hardly ever is there one: this is asked before every batch.
    if (!line.some(mustWait)) return [];
    const blocked = new Set<string>();
    const group: Waiting<Command, Result>[] = [];
    const locks = new Set<string>();
    for (const waiting of line) {
      const isFree = !needs(waiting, busy, blocked);
      const isFirst = group.length === 0 && isFree && mustWait(waiting);
      const isCompanion = group.length > 0 && isFree && locksOnly(waiting, locks);
      if (!isFirst && !isCompanion) {
        addKeys(blocked, waiting);
        continue;
      }
      if (isFirst) for (const key of waiting.command.lockKeys) locks.add(key);
      for (const key of waiting.command.claimKeys) blocked.add(key);
      group.push(waiting);
      if (group.length === this.#limits.batchSize) break;
    }
    return group;
  }

  stats(now: number): QueueStats {
    let oldestMs = 0;
    for (const [first] of this.#lines.values())
      if (first !== undefined) oldestMs = Math.max(oldestMs, now - first.since);
    return { length: this.#length, oldestMs };
  }

  /** The next command of a payee that can run. Those that cannot hold back all that shares a key with them. */
  #next(
    turn: Turn<Command, Result>,
    blocked: Set<string>,
    { busy, now, mayRideAlong, refuse }: Round<Command, Result>,
  ): Waiting<Command, Result> | undefined {
    while (turn.at < turn.line.length) {
      const waiting = turn.line[turn.at++] as Waiting<Command, Result>;
      if (now - waiting.since > this.#limits.queueAgeMs) {
        this.#remove(new Set([waiting]));
        refuse(waiting);
      } else if ((mustWait(waiting) && !mayRideAlong) || needs(waiting, busy, blocked)) {
        addKeys(blocked, waiting);
      } else {
        // Within a batch one after the other may lock the same; a twin of a claim must see what became of the first one.
        for (const key of waiting.command.claimKeys) blocked.add(key);
        return waiting;
      }
    }
    return undefined;
  }

  #line(payeeId: string): Waiting<Command, Result>[] {
    let line = this.#lines.get(payeeId);
    if (line === undefined) {
      line = [];
      this.#lines.set(payeeId, line);
    }
    return line;
  }

  /** Removes commands; payees that had one go behind the others, in the order of their turns. */
  #remove(gone: ReadonlySet<Waiting<Command, Result>>): void {
    const latestFirst = [...gone].toReversed().map(({ command }) => command.payeeId);
    for (const payeeId of [...new Set(latestFirst)].toReversed()) {
      const rest = this.#line(payeeId).filter((waiting) => !gone.has(waiting));
      this.#lines.delete(payeeId);
      if (rest.length > 0) this.#lines.set(payeeId, rest);
    }
    this.#length -= gone.size;
  }
}

/** Adds everything that a command locks or claims. */
export function addKeys<Command extends QueuedCommand, Result>(
  keys: Set<string>,
  { command }: Waiting<Command, Result>,
): void {
  for (const key of command.lockKeys) keys.add(key);
  for (const key of command.claimKeys) keys.add(key);
}

/** Whether a command needs a key that is busy or blocked. */
function needs<Command extends QueuedCommand, Result>(
  { command }: Waiting<Command, Result>,
  busy: Keys,
  blocked: Keys,
): boolean {
  return hasAny(busy, blocked, command.lockKeys) || hasAny(busy, blocked, command.claimKeys);
}

function hasAny(busy: Keys, blocked: Keys, keys: readonly string[]): boolean {
  for (const key of keys) if (busy.has(key) || blocked.has(key)) return true;
  return false;
}

function locksOnly<Command extends QueuedCommand, Result>(
  { command }: Waiting<Command, Result>,
  locks: ReadonlySet<string>,
): boolean {
  return command.lockKeys.length > 0 && command.lockKeys.every((key) => locks.has(key));
}

function mustWait({ rounds }: { readonly rounds: number }): boolean {
  return rounds >= BATCH_ROUNDS;
}
