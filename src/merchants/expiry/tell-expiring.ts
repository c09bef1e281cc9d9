import type { Transaction } from '../../db/transaction.types.ts';
import { writeEvents } from '../../journal/write-events.ts';
import { EXPIRING_DAYS } from '../../kit/limits.ts';
import {
  ENDING_KINDS,
  type EndingCredential,
  type EndingKind,
  lockEnding,
  selectEnding,
  selectTold,
} from './expiring-credentials.store.ts';

const EVENTS = {
  'access-token': 'access-token.expiring',
  'hmac-key': 'hmac-key.expiring',
  'oauth-client': 'oauth-client.expiring',
} as const;

/** Writes an event for each credential that ends within 30 days, once: its first and only one. Answers how many. */
export async function tellExpiring(transaction: Transaction): Promise<number> {
  let told = 0;
  for (const kind of ENDING_KINDS) told += await tellOf(transaction, kind);
  return told;
}

async function tellOf(transaction: Transaction, kind: EndingKind): Promise<number> {
  const { rows: ending } = await lockEnding(transaction, kind, EXPIRING_DAYS);
  const known = await selectTold(transaction, kind, ending);
  const untold = ending.filter(({ id }) => !known.has(id));
  await writeEvents(
    transaction,
    untold.map(({ payeeId, id, expiresAt, at }) => ({
      payeeId,
      type: EVENTS[kind],
      resourceId: id,
      resourceSequence: 1,
      happenedAt: at,
      payload: { expiresAt },
    })),
  );
  return untold.length;
}

/** The credentials that end within 30 days, the soonest first. */
export async function listExpiring(transaction: Transaction): Promise<readonly EndingCredential[]> {
  return (await selectEnding(transaction, EXPIRING_DAYS)).rows;
}
