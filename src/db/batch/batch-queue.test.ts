import { describe, expect, test } from 'vitest';
import { Refusal } from '../../kit/errors.ts';
import type { QueuedCommand } from './batch.types.ts';
import { BatchQueue, type Waiting } from './batch-queue.ts';

interface Named extends QueuedCommand {
  readonly name: string;
}

const LIMITS = { batchSize: 4, lanes: 2, patientLanes: 1, queueLength: 12, queueAgeMs: 100, unknownMs: 100 };
const NOT_BUSY: ReadonlySet<string> = new Set();

function queueOf(limits = LIMITS): BatchQueue<Named, never> {
  return new BatchQueue<Named, never>(limits);
}

/** A command `a1` is of payee `a`; what it locks and claims follows. */
function waiting(
  name: string,
  lockKeys: readonly string[] = [],
  claimKeys: readonly string[] = [],
): Waiting<Named, never> {
  const command = { name, payeeId: name.charAt(0), lockKeys, claimKeys };
  return { command, resolve: () => undefined, reject: () => undefined, since: 0, rounds: 0, mayHaveCommitted: false };
}

function take(queue: BatchQueue<Named, never>, busy = NOT_BUSY, now = 0): string[] {
  return queue.take({ busy, now, mayRideAlong: false, refuse: () => undefined }).map(({ command }) => command.name);
}

describe('the queue', () => {
  test('keeps the order of a payee, and ends a batch at its size', () => {
    const queue = queueOf({ ...LIMITS, queueLength: 40 });
    for (let index = 0; index < 6; index++) queue.add(waiting(`a${index}`));
    expect([take(queue), take(queue), take(queue)]).toEqual([['a0', 'a1', 'a2', 'a3'], ['a4', 'a5'], []]);
  });

  test('leaves nothing behind those that only ride along', () => {
    const queue = queueOf({ ...LIMITS, batchSize: 64, queueLength: 1000 });
    for (let index = 0; index < 40; index++) queue.add({ ...waiting(`a${index}`, [`stuck ${index}`]), rounds: 3 });
    queue.add(waiting('a40', ['free']));
    const taken = queue.take({ busy: NOT_BUSY, now: 0, mayRideAlong: true, refuse: () => undefined });
    expect(taken.map(({ command }) => command.name)).toContain('a40');
  });

  test('takes all that wait at once, also those that lock the same, up to its size', () => {
    const queue = queueOf({ ...LIMITS, batchSize: 64, queueLength: 1000 });
    for (let index = 0; index < 90; index++) queue.add(waiting(`a${index}`, ['hot']));
    expect([take(queue).length, take(queue).length]).toEqual([64, 26]);
  });

  test('lets payees take turns, so that a flood of one holds up no other', () => {
    const queue = queueOf({ ...LIMITS, queueLength: 40 });
    for (const name of ['a0', 'a1', 'a2', 'a3', 'a4', 'b0', 'b1', 'c0']) queue.add(waiting(name));
    expect(take(queue)).toEqual(['a0', 'b0', 'c0', 'a1']);
    expect(take(queue)).toEqual(['b1', 'a2', 'a3', 'a4']);
  });

  test('refuses above its length, and above a payee’s quarter of it', () => {
    const queue = queueOf();
    for (const name of ['a0', 'a1', 'a2']) queue.add(waiting(name));
    expect(() => queue.add(waiting('a3'))).toThrow(Refusal);
    for (const name of ['b0', 'b1', 'b2', 'c0', 'c1', 'c2', 'd0', 'd1', 'd2']) queue.add(waiting(name));
    expect(() => queue.add(waiting('e0'))).toThrow(Refusal);
    expect(queue.stats(7)).toEqual({ length: 12, oldestMs: 7 });
  });

  test('holds back commands that need a busy key, and later ones that share a key with them', () => {
    const queue = queueOf();
    queue.add(waiting('a0', ['x', 'y']));
    queue.add(waiting('a1', ['y']));
    queue.add(waiting('a2', ['z']));
    expect(take(queue, new Set(['x']))).toEqual(['a2']);
    expect(take(queue)).toEqual(['a0', 'a1']);
  });

  test('puts commands that lock the same into one batch, and twins of a claim into two', () => {
    const queue = queueOf();
    queue.add(waiting('a0', ['x'], ['ref']));
    queue.add(waiting('a1', ['x'], ['ref']));
    queue.add(waiting('a2', ['y'], ['other']));
    expect(take(queue)).toEqual(['a0', 'a2']);
    expect(take(queue)).toEqual(['a1']);
  });

  test('refuses what has waited too long when its turn comes', () => {
    const queue = queueOf();
    queue.add(waiting('a0'));
    queue.add({ ...waiting('a1'), since: 50 });
    const refused: string[] = [];
    const refuse = ({ command }: Waiting<Named, never>) => void refused.push(command.name);
    const taken = queue.take({ busy: NOT_BUSY, now: 101, mayRideAlong: false, refuse });
    expect([refused, taken.map(({ command }) => command.name)]).toEqual([['a0'], ['a1']]);
    expect(queue.stats(101).length).toBe(0);
  });

  describe('of who had to leave too often', () => {
    const patient = (name: string, lockKeys: readonly string[], claimKeys: readonly string[] = []) => ({
      ...waiting(name, lockKeys, claimKeys),
      rounds: 3,
    });
    const takePatient = (queue: BatchQueue<Named, never>, busy = NOT_BUSY) =>
      queue.takePatient(busy).map(({ command }) => command.name);
    const rideAlong = (queue: BatchQueue<Named, never>) =>
      queue
        .take({ busy: NOT_BUSY, now: 0, mayRideAlong: true, refuse: () => undefined })
        .map(({ command }) => command.name);

    test('puts them back at the head, in order, and no other overtakes them', () => {
      const queue = queueOf();
      queue.add(waiting('a2', ['x']));
      queue.putBack([patient('a0', ['x']), waiting('a1', ['x'])]);
      expect(take(queue)).toEqual([]);
      expect(takePatient(queue, new Set(['x']))).toEqual([]);
      expect(takePatient(queue)).toEqual(['a0', 'a1', 'a2']);
    });

    test('lets those wait with them that lock nothing else, and claim nothing of theirs', () => {
      const queue = queueOf({ ...LIMITS, queueLength: 40 });
      queue.putBack([patient('a0', ['x', 'y'], ['ref'])]);
      queue.add(waiting('a1', ['y']));
      queue.add(waiting('a2', ['x'], ['ref']));
      queue.add(waiting('a3', [], ['other']));
      queue.add(waiting('a4', ['z']));
      queue.add(waiting('a5', ['x', 'z']));
      queue.add(waiting('a6', ['x']));
      // a2 claims what a0 does, and a5 needs another lock; a6 must not overtake them.
      expect(takePatient(queue)).toEqual(['a0', 'a1']);
      expect(take(queue)).toEqual(['a2', 'a3', 'a4', 'a5']);
    });

    test('takes as many as a batch may have, and one lock’s after the other', () => {
      const queue = queueOf({ ...LIMITS, queueLength: 40 });
      queue.putBack([...['a0', 'a1', 'a2', 'a3', 'a4'].map((name) => patient(name, ['x'])), patient('a5', ['y'])]);
      expect(takePatient(queue)).toEqual(['a0', 'a1', 'a2', 'a3']);
      expect(takePatient(queue, new Set(['x']))).toEqual(['a5']);
      expect(takePatient(queue)).toEqual(['a4']);
    });

    test('lets them ride along where no command can wait, but sends no batch for them alone', () => {
      const queue = queueOf();
      queue.putBack([patient('a0', ['x'])]);
      expect(rideAlong(queue)).toEqual([]);
      queue.add(waiting('a1', ['y']));
      expect(rideAlong(queue)).toEqual(['a0', 'a1']);
    });
  });
});
