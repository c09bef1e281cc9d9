import { isFreeFor } from '../../db/rows-at-work.ts';
import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { InstrumentId } from '../../vault/vault.types.ts';

/** A card that a payment has sealed, or opened to be paid with. */
export interface SealedCard {
  readonly payeeId: PayeeId;
  readonly instrumentId: InstrumentId;
}

/**
 * Notes that a request begins a try with a card, which keeps the card from being destroyed. One that is being destroyed
 * is waited for.
 *
 * @returns whether the card is there
 */
export async function beginTry(transaction: Transaction, { payeeId, instrumentId }: SealedCard): Promise<boolean> {
  const { count } = await transaction.run(
    {
      name: 'payments-begin-try',
      text: `
        insert into sealed_card as sealed (payee_id, instrument_id, sealed_at, tries)
        select payee_id, instrument_id, kontor_now(), 1
        from (select * from instrument where payee_id = $1 and instrument_id = $2 for key share) there
        on conflict (payee_id, instrument_id) do update
          set sealed_at = excluded.sealed_at, tries = sealed.tries + 1`,
    },
    [payeeId, instrumentId],
  );
  return count === 1;
}

/** Notes that what became of a request's try is stored. Where the card was looked after since, nothing is left to note. */
export async function endTry(transaction: Transaction, { payeeId, instrumentId }: SealedCard): Promise<void> {
  await transaction.run(
    {
      name: 'payments-end-try',
      text: `
        update sealed_card set tries = tries - 1
        where payee_id = $1 and instrument_id = $2 and tries > 0`,
    },
    [payeeId, instrumentId],
  );
}

/** Of these cards, those that a request has in its hands. */
export async function selectTried(
  read: Read,
  payeeId: PayeeId,
  { instrumentIds, seconds }: { readonly instrumentIds: readonly InstrumentId[]; readonly seconds: number },
): Promise<readonly InstrumentId[]> {
  const { rows } = await read<Pick<SealedCard, 'instrumentId'>>(
    {
      name: 'payments-select-tried',
      text: `
        select instrument_id as "instrumentId"
        from sealed_card
        where payee_id = $1 and instrument_id = any ($2::uuid[]) and tries > 0
          and sealed_at >= kontor_now() - $3::integer * interval '1 second'`,
    },
    [payeeId, instrumentIds, seconds],
  );
  return rows.map(({ instrumentId }) => instrumentId);
}

/** Cards that were sealed so long ago that the request which did it has ended, those of the oldest one's payee. */
export async function selectLongSealed(
  read: Read,
  { seconds, limit }: { readonly seconds: number; readonly limit: number },
): Promise<readonly SealedCard[]> {
  const { rows } = await read<SealedCard>(
    {
      name: 'payments-select-long-sealed',
      text: `
        with due as materialized (
          select payee_id, instrument_id, sealed_at
          from sealed_card
          where sealed_at < (select kontor_now()) - $1::integer * interval '1 second'
            and ${isFreeFor('sweep-sealed-cards', 'sealed_card.payee_id', 'sealed_card.instrument_id::text')}
          order by sealed_at
          limit $2::integer
        )
        select payee_id as "payeeId", instrument_id as "instrumentId"
        from due
        where payee_id = (select payee_id from due order by sealed_at limit 1)`,
    },
    [seconds, limit],
  );
  return rows;
}

/** Of these cards, those that a payment has sealed anew since. */
export async function selectSealedSince(
  read: Read,
  payeeId: PayeeId,
  { instrumentIds, seconds }: { readonly instrumentIds: readonly InstrumentId[]; readonly seconds: number },
): Promise<readonly InstrumentId[]> {
  const { rows } = await read<Pick<SealedCard, 'instrumentId'>>(
    {
      name: 'payments-select-sealed-since',
      text: `
        select instrument_id as "instrumentId"
        from sealed_card
        where payee_id = $1 and instrument_id = any ($2::uuid[])
          and sealed_at >= kontor_now() - $3::integer * interval '1 second'`,
    },
    [payeeId, instrumentIds, seconds],
  );
  return rows.map(({ instrumentId }) => instrumentId);
}

/** Has cards looked after again later on: a payment still waits for them. */
export async function putOffSealed(
  transaction: Transaction,
  payeeId: PayeeId,
  instrumentIds: readonly InstrumentId[],
): Promise<void> {
  await transaction.run(
    {
      name: 'payments-put-off-sealed',
      text: `
        update sealed_card set sealed_at = kontor_now()
        where payee_id = $1 and instrument_id = any ($2::uuid[])`,
    },
    [payeeId, instrumentIds],
  );
}

/** Forgets that cards were sealed, but for those that a payment has sealed anew since: tokens have them now. */
export async function forgetSealed(
  transaction: Transaction,
  payeeId: PayeeId,
  { instrumentIds, seconds }: { readonly instrumentIds: readonly InstrumentId[]; readonly seconds: number },
): Promise<void> {
  await transaction.run(
    {
      name: 'payments-forget-sealed',
      text: `
        delete from sealed_card
        where payee_id = $1 and instrument_id = any ($2::uuid[])
          and sealed_at < (select kontor_now()) - $3::integer * interval '1 second'`,
    },
    [payeeId, instrumentIds, seconds],
  );
}
