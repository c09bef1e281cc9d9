import type { Transact } from '../../../db/transaction.types.ts';
import type { UpdateCard } from '../../../tokens/import/import.types.ts';
import type { FoundUpdate } from './card-updates.types.ts';

/** Updates that wait to be written: more are left to the next answer about their cards, which says the same. */
const MOST_WAITING = 1_000;

interface CardUpdatesContext {
  /** Where the planner is not free: cards and tokens are looked up by their keys. */
  readonly transact: Transact;
  readonly updateCard: UpdateCard;
}

/**
 * Writes what acquirers' answers say of cards, one after the other: no answer waits for it, and none fails by it. What a process that ends
 * has not written comes again, because the card is asked about by its old number then.
 */
export function cardUpdates({ transact, updateCard }: CardUpdatesContext) {
  const waiting: FoundUpdate[] = [];
  let refused: (acquirerId: string) => void = () => undefined;
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { payeeId, acquirerId, number, update } = next;
      if (update.kind === 'Unreadable') {
        refused(acquirerId);
        continue;
      }
      const done = await transact((transaction) => updateCard(transaction, { payeeId, number, update })).catch(
        () => undefined,
      );
      if (done === 'Refused') refused(acquirerId);
    }
    writing = undefined;
  }

  return {
    take(found: FoundUpdate): void {
      if (waiting.length >= MOST_WAITING) return;
      waiting.push(found);
      // In a turn of its own: the answer goes on first.
      writing ??= Promise.resolve().then(writeAll);
    },
    /** Names who hears of an update that says nothing which can be stored. */
    tellRefused(hears: (acquirerId: string) => void): void {
      refused = hears;
    },
    /** Resolves when all that was taken is written. */
    settled: async (): Promise<void> => {
      await writing;
    },
  };
}
