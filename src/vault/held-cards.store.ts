import type { Read, Transaction } from '../db/transaction.types.ts';
import type { PayeeId } from '../kit/ids.ts';
import type { CardHold, HoldName } from './vault.types.ts';

/** Holds a card, to be looked after in so many seconds. */
export async function insertHold(
  transaction: Transaction,
  { payeeId, attemptId, instrumentId, expiryDate }: CardHold,
  dueSeconds: number,
): Promise<void> {
  await transaction.run(
    {
      name: 'vault-insert-hold',
      text: `
        insert into held_card (payee_id, attempt_id, instrument_id, expiry_date, held_at, due_at)
        select $1, $2, $3, $4, now, now + $5::integer * interval '1 second'
        from kontor_now() now`,
    },
    [payeeId, attemptId, instrumentId, expiryDate, dueSeconds],
  );
}

/** A held card, which is looked after in so many seconds now; no row where none is held any more. */
export async function touchHold(
  transaction: Transaction,
  { payeeId, attemptId }: HoldName,
  { dueSeconds, mostDays }: { readonly dueSeconds: number; readonly mostDays: number },
): Promise<CardHold | undefined> {
  const { rows } = await transaction.run<CardHold>(
    {
      name: 'vault-touch-hold',
      text: `
        update held_card set due_at = kontor_now() + $3::integer * interval '1 second'
        where payee_id = $1 and attempt_id = $2 and held_at > kontor_now() - $4::integer * interval '1 day'
        returning payee_id as "payeeId", attempt_id as "attemptId", instrument_id as "instrumentId",
          expiry_date as "expiryDate"`,
    },
    [payeeId, attemptId, dueSeconds, mostDays],
  );
  return rows[0];
}

/** Has held cards looked after again in so many seconds. */
export async function putOffHolds(
  transaction: Transaction,
  payeeId: PayeeId,
  { attemptIds, dueSeconds }: { readonly attemptIds: readonly string[]; readonly dueSeconds: number },
): Promise<void> {
  await transaction.run(
    {
      name: 'vault-put-off-holds',
      text: `
        update held_card set due_at = kontor_now() + $3::integer * interval '1 second'
        where payee_id = $1 and attempt_id = any ($2::uuid[])`,
    },
    [payeeId, attemptIds, dueSeconds],
  );
}

/** Lets go of held cards. */
export async function deleteHolds(
  transaction: Transaction,
  payeeId: PayeeId,
  attemptIds: readonly string[],
): Promise<void> {
  await transaction.run(
    { name: 'vault-delete-holds', text: 'delete from held_card where payee_id = $1 and attempt_id = any ($2::uuid[])' },
    [payeeId, attemptIds],
  );
}

/** How many cards are held; and since when the longest, ISO 8601. */
export async function countHolds(read: Read): Promise<{ readonly held: number; readonly oldestAt: string | null }> {
  const { rows } = await read<{ readonly held: number; readonly oldestAt: string | null }>(
    {
      name: 'vault-count-holds',
      text: 'select count(*)::integer as held, min(held_at) as "oldestAt" from held_card',
    },
    [],
  );
  return rows[0] ?? { held: 0, oldestAt: null };
}
