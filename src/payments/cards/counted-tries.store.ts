import type { Transaction } from '../../db/transaction.types.ts';
import { CARD_HISTORY_DAYS, type Renewal } from '../../engine/card-history/card-history.types.ts';

/** Gives tries that are counted the digest of now. Those that another transaction changes at this moment keep theirs. */
export async function renewTries(transaction: Transaction, { payeeId, digest, earlier }: Renewal): Promise<void> {
  await transaction.run(
    {
      name: 'payments-renew-tries',
      text: `
        with failed as (
          select payee_id, transaction_id from card_transaction
          where payee_id = $1::uuid and card_digest = any ($3::bytea[]) and state = 'Failed'
          for no key update skip locked
        ), under_way as (
          select payee_id, transaction_id from card_transaction
          where payee_id = $1::uuid and card_digest = any ($3::bytea[]) and state = 'Initialized'
          for no key update skip locked
        )
        update card_transaction
        set card_digest = $2::bytea
        where (payee_id, transaction_id) in (table failed union all table under_way)`,
    },
    [payeeId, digest, earlier],
  );
}

/** Takes the digests off tries that nothing counts any more, of at most `limit`, and answers of how many. */
export async function endTries(transaction: Transaction, limit: number): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'payments-end-digests',
      text: `
        with old as materialized (
          select payee_id, transaction_id
          from card_transaction
          where card_digest is not null and state in ('Completed', 'Failed')
            and created_at < (select kontor_now()) - make_interval(days => $2::integer)
          order by created_at
          limit $1::integer
          for no key update skip locked
        )
        update card_transaction
        set card_digest = null
        from old
        where card_transaction.payee_id = old.payee_id and card_transaction.transaction_id = old.transaction_id`,
    },
    [limit, CARD_HISTORY_DAYS],
  );
  return count;
}
