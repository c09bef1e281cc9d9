import { overPlainRows, overRows } from '../../db/rows/over-rows.ts';
import { asExcluded, columnsOf } from '../../db/rows/tables.ts';
import type { Read, Transaction } from '../../db/transaction.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { AccountId, OrderId } from '../../ledger/ledger.types.ts';
import { GIFT_CARD_GUESS } from '../orders.tables.ts';
import type { Counter, CounterKey, FoundCounter } from './guessing.types.ts';

/**
 * Waits until it is alone with these names, to the end of the transaction: so counters are read, compared with and
 * counted by one entry after another. In the order given.
 */
export async function lockNames(transaction: Transaction, names: readonly string[]): Promise<void> {
  await transaction.run(
    {
      name: 'orders-lock-guesses',
      text: `select pg_advisory_xact_lock(hashtextextended('gift card guess ' || name, 0)) from unnest($1::text[]) name`,
    },
    [names],
  );
}

/** Counters by their keys, each with the time, whether there is one or not. */
export const FIND_COUNTERS = overRows<CounterKey>({
  name: 'orders-select-guesses',
  columns: GIFT_CARD_GUESS.key,
  text: ({ payee, places }) => `
    select v.position::integer, kontor_now() as now, c.*
    from ${places}
    left join lateral (
      select ${GIFT_CARD_GUESS.columns}
      from gift_card_guess
      where payee_id = ${payee} and kind = v.kind and subject = v.subject
      limit 1
    ) c on true
    order by v.position`,
});

/** Counters in the order in which they are named, with the time. */
export async function selectCounters(run: Read, keys: readonly CounterKey[]): Promise<readonly FoundCounter[]> {
  return (await run<FoundCounter>(FIND_COUNTERS, FIND_COUNTERS.values(keys))).rows;
}

const UPSERT = overPlainRows<Counter, [payeeId: PayeeId]>({
  name: 'orders-upsert-guesses',
  beside: 1,
  columns: { ...columnsOf(GIFT_CARD_GUESS, 'kind', 'subject'), ...GIFT_CARD_GUESS.changed },
  text: ({ names, rows }) => `
    insert into gift_card_guess (payee_id, ${names})
    select $1::uuid, v.* from ${rows}
    on conflict (payee_id, kind, subject) do update
    set ${asExcluded(GIFT_CARD_GUESS.changed)}`,
});

/** Stores counters as they are now. Under the locks of their names. */
export async function saveCounters(
  transaction: Transaction,
  payeeId: PayeeId,
  counters: readonly Counter[],
): Promise<void> {
  await transaction.run(UPSERT, UPSERT.values(counters, payeeId));
}

/** Whether a payer has paid another order with an account. */
export async function hasPaidWith(
  transaction: Transaction,
  key: {
    readonly payeeId: PayeeId;
    readonly accountId: AccountId | null;
    readonly payerReference: string;
    readonly orderId: OrderId;
  },
): Promise<boolean> {
  const { rows } = await transaction.run<{ readonly hasPaid: boolean }>(
    {
      name: 'orders-has-paid-with',
      text: `
        select exists (
          select from order_leg leg
          cross join lateral (
            select payer_reference from payment_order where payee_id = leg.payee_id and order_id = leg.order_id limit 1
          ) o
          where leg.payee_id = $1::uuid and leg.account_id = $2::uuid and leg.state = 'Authorized'
            and leg.order_id <> $4::uuid and o.payer_reference = $3::text
        ) as "hasPaid"`,
    },
    [key.payeeId, key.accountId, key.payerReference, key.orderId],
  );
  return rows[0]?.hasPaid === true;
}

/** Deletes counters that say nothing any more, at most `limit`; one that is counting right now is left alone. */
export async function deleteOldCounters(transaction: Transaction, limit: number): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'orders-delete-old-guesses',
      text: `
        with old as materialized (
          select payee_id, kind, subject
          from gift_card_guess
          where forget_at < (select kontor_now())
          order by forget_at
          limit $1::integer
          for update skip locked
        )
        delete from gift_card_guess
        using old
        where gift_card_guess.payee_id = old.payee_id and gift_card_guess.kind = old.kind and gift_card_guess.subject = old.subject`,
    },
    [limit],
  );
  return count;
}
