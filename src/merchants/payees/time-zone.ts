import type { Read, Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import type { Actor } from '../../kit/caller.ts';
import { inputError } from '../../kit/errors.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { selectTimeZone, updateTimeZone } from './payees.store.ts';

/** Where a payee's days begin, as in `Europe/Oslo`; undefined where there is no such payee. */
export function findTimeZone(read: Read, payeeId: PayeeId): Promise<string | undefined> {
  return selectTimeZone(read, payeeId);
}

/** Whose days begin where. */
export interface SetTimeZone {
  readonly payeeId: PayeeId;
  /** A name of the IANA time zone database, as in `Europe/Oslo`. */
  readonly timeZone: string;
  readonly actor: Actor;
}

/**
 * Sets where a payee's days begin: of its lists, figures and statements from then on. What was given an end before, such as a
 * gift card, keeps it.
 *
 * @throws Refusal `inputerror` for a time zone that browsers or the database do not know
 */
export async function setTimeZone(transaction: Transaction, { payeeId, timeZone, actor }: SetTimeZone): Promise<void> {
  // A page reckons with it too: both must know it. Abbreviations such as EST have no summer time, and are no place.
  const isPlace = timeZone === 'UTC' || timeZone.includes('/');
  const isSet = isPlace && isKnown(timeZone) && (await updateTimeZone(transaction, { payeeId, timeZone })).count === 1;
  if (!isSet) throw inputError('timeZone', 'must be a time zone of the IANA database, as in Europe/Oslo, or UTC');
  await writeAudit(transaction, [
    { payeeId, actor, action: 'set-time-zone', objectId: payeeId, details: { timeZone } },
  ]);
}

function isKnown(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
