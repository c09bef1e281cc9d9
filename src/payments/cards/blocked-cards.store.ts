import { overRows } from '../../db/over-rows.ts';
import type { Transaction } from '../../db/transaction.types.ts';
import type { CardBlock } from '../payments.types.ts';

/** Keeps payees from charging cards by themselves. One that is blocked already is so for the longer time. */
export const blockCards = overRows<CardBlock>({
  name: 'payments-block-cards',
  columns: {
    payee_id: ['uuid', 'payeeId'],
    card_digest: ['bytea', 'cardDigest'],
    blocked_until: ['timestamptz', 'blockedUntil'],
  },
  guard: 'adds',
  // Two payments with one card may end in one batch. In one order for all, so that batches do not wait for each other.
  text: ({ rows }) => `
    with blocked as (
      insert into blocked_card as known (payee_id, card_digest, blocked_until)
      select payee_id, card_digest, max(blocked_until) from ${rows} group by payee_id, card_digest
      order by payee_id, card_digest
      on conflict (payee_id, card_digest) do update
        set blocked_until = greatest(known.blocked_until, excluded.blocked_until)
    )
    select from ${rows}`,
}).call;

/** Whether a payee may not charge a card by itself now. */
export async function selectIsBlocked(
  { run }: Pick<Transaction, 'run'>,
  { payeeId, cardDigest }: Pick<CardBlock, 'payeeId' | 'cardDigest'>,
): Promise<boolean> {
  const { rows } = await run(
    {
      name: 'payments-select-blocked',
      text: `
        select from blocked_card
        where payee_id = $1 and card_digest = $2 and blocked_until > kontor_now()`,
    },
    [payeeId, cardDigest],
  );
  return rows.length > 0;
}
