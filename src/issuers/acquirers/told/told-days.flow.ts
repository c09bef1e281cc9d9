import type { Transact } from '../../../db/transaction.types.ts';
import type { BusinessDays } from '../../../iso8583/link/link.types.ts';
import type { Acquirer } from '../acquirers.types.ts';
import { believedDay, nextCutOver } from '../business-day.rules.ts';
import { noteDay } from './note-host.ts';

/**
 * The business days that acquirers say have begun. Each is stored, so that the answers of all instances get it, also after a
 * restart. Until it is stored, the answers that this process gets have it from here.
 */
export function toldDays(transact: Transact, now: () => number) {
  return (acquirer: Pick<Acquirer, 'id' | 'cutOver' | 'timeZone'>): BusinessDays => {
    let unstored: { readonly day: string; readonly endsAt: number } | undefined;
    return {
      begin(told) {
        const day = believedDay(told, now(), acquirer);
        if (day === undefined) return false;
        const begun = { day, endsAt: nextCutOver(now(), acquirer) };
        unstored = begun;
        const row = { acquirer: acquirer.id, day, endsAt: new Date(begun.endsAt).toISOString() };
        transact((transaction) => noteDay(transaction, row)).then(
          () => {
            if (unstored === begun) unstored = undefined;
          },
          // While the database is away no answer is stored either.
          () => undefined,
        );
        return true;
      },
      current: () => (unstored !== undefined && now() < unstored.endsAt ? unstored.day : undefined),
    };
  };
}
