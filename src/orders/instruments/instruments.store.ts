import type { Transaction } from '../../db/transaction.types.ts';
import type { OrderInstrument, OrderKey } from '../orders.types.ts';

/**
 * Makes another means of payment the only one of an unpaid order that has only one, and says so in its history.
 *
 * @returns how many orders: none where it has a menu, has that one, is paid or over, or an issuer is being asked
 */
export async function updateInstrument(
  transaction: Transaction,
  { payeeId, orderId, instrument }: OrderKey & { readonly instrument: OrderInstrument },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'orders-update-instrument',
      text: `
        with changed as (
          update payment_order
          set instrument = $3, history_count = history_count + 1, version = version + 1,
            updated_at = greatest(kontor_now(), updated_at)
          where payee_id = $1 and order_id = $2 and status = 'Initialized' and unsettled = 0
            and expires_at > kontor_now() and instrument <> $3
          returning payee_id, order_id, history_count, updated_at
        )
        insert into order_history (payee_id, order_id, position, name, initiated_by, instrument, created_at)
        select payee_id, order_id, history_count, 'PaymentInstrumentSet', 'Payee', $3, updated_at
        from changed`,
    },
    [payeeId, orderId, instrument],
  );
  return count;
}

/** How many unpaid orders, one at most, already have what `updateInstrument` or `updateExpanded` would give them. */
export async function countChosen(
  transaction: Transaction,
  { payeeId, orderId, instrument, operation }: ChosenBefore,
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'orders-count-chosen',
      text: `
        select from payment_order
        where payee_id = $1 and order_id = $2 and status = 'Initialized' and unsettled = 0 and expires_at > kontor_now()
          and case $4::text when 'SetInstrument' then instrument = $3
            else instrument is null and terms ->> 'expandedInstrument' = $3 end`,
    },
    [payeeId, orderId, instrument, operation],
  );
  return count;
}

interface ChosenBefore extends OrderKey {
  readonly instrument: OrderInstrument;
  readonly operation: 'SetInstrument' | 'ExpandInstrument';
}

/** Notes what the menu of an unpaid order opens first; none as above, or where it has no menu. */
export async function updateExpanded(
  transaction: Transaction,
  { payeeId, orderId, instrument }: OrderKey & { readonly instrument: OrderInstrument },
): Promise<number> {
  const { count } = await transaction.run(
    {
      name: 'orders-update-expanded',
      text: `
        update payment_order
        set terms = jsonb_set(terms, '{expandedInstrument}', to_jsonb($3::text)), version = version + 1,
          updated_at = greatest(kontor_now(), updated_at)
        where payee_id = $1 and order_id = $2 and status = 'Initialized' and unsettled = 0
          and expires_at > kontor_now() and instrument is null and terms ->> 'expandedInstrument' is distinct from $3`,
    },
    [payeeId, orderId, instrument],
  );
  return count;
}
