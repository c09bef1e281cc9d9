import type { Transaction } from '../db/transaction.types.ts';
import type { LookBack, SeenCards } from './card-testing.types.ts';

/** Rows that a look reads at most, the newest first: so it costs the same whatever is paid there. */
const MOST_ROWS = 2_000;

/**
 * The cards that were typed on pages of a payee lately, by the first six digits of their numbers. Ids of transactions begin
 * with the time, so the primary key finds those of the last minutes.
 */
export async function selectTypedCards(
  transaction: Transaction,
  { payeeId, seconds, verdicts }: LookBack,
): Promise<readonly SeenCards[]> {
  const { rows } = await transaction.run<SeenCards>(
    {
      name: 'payments-select-typed-cards',
      text: `
        select count(distinct card_digest) filter (where state = 'Completed')::integer as approved,
          count(distinct card_digest) filter (where state = 'Failed' and problem = any ($3::text[]))::integer as declined,
          kontor_now() as now
        from (
          select state, problem, card_digest, left(card ->> 'maskedPan', 6) as bin
          from card_transaction
          where payee_id = $1::uuid and type in ('Authorization', 'Verification') and not is_stored
            and transaction_id >= rpad(
              lpad(to_hex((extract(epoch from kontor_now() - make_interval(secs => $2::integer)) * 1000)::bigint), 12, '0'),
              32, '0')::uuid
          order by transaction_id desc
          limit $4::integer
        ) typed
        group by bin`,
    },
    [payeeId, seconds, verdicts, MOST_ROWS],
  );
  return rows;
}
