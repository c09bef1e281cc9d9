import type { Transact } from '../../../db/transaction.types.ts';
import type { HostHabit } from '../../../iso8583/messages.types.ts';
import { noteHabit } from './note-host.ts';

/** Milliseconds after which a habit that goes on is noted once more. */
const AGAIN_MS = 24 * 60 * 60 * 1000;

/** Keeps what hosts were seen to do: each answer may show it, so it is written once a day. */
export function habitNotes(transact: Transact, now: () => number) {
  const notedAt = new Map<string, number>();
  return (acquirer: string, { habit, field }: HostHabit): void => {
    const name = `${acquirer} ${habit} ${field}`;
    if (now() - (notedAt.get(name) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return;
    notedAt.set(name, now());
    // It is seen again: no answer waits for this, and none fails by it.
    transact((transaction) => noteHabit(transaction, { acquirer, habit, field })).catch(() => notedAt.delete(name));
  };
}
