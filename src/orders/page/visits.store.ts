import type { Transaction } from '../../db/transaction.types.ts';
import type { OrderInstrument, OrderKey, PaymentOrder } from '../orders.types.ts';

// What payers do on the page of an unpaid order that changes nothing but its history. No command decides by it, so the
// version of the order stays: a command that is under way need not begin anew.

/** Times that choosing a means of payment is noted. */
const SELECTIONS = 20;

/** Notes how the page of an unpaid order was opened, unless it was before. */
export async function updateIntegration(
  transaction: Transaction,
  { payeeId, orderId, integration }: OrderKey & Pick<PaymentOrder, 'integration'>,
): Promise<void> {
  await transaction.run(
    {
      name: 'orders-update-integration',
      text: `
        with changed as (
          update payment_order
          set integration = $3, history_count = history_count + 1, updated_at = greatest(kontor_now(), updated_at)
          where payee_id = $1 and order_id = $2 and status = 'Initialized' and expires_at > kontor_now()
            and integration is null
          returning payee_id, order_id, history_count, updated_at
        )
        insert into order_history (payee_id, order_id, position, name, initiated_by, created_at)
        select payee_id, order_id, history_count, 'PaymentLoaded', 'Payer', updated_at
        from changed`,
    },
    [payeeId, orderId, integration],
  );
}

/** Locks an unpaid order, so that what is counted of its history is what there is. */
export async function lockUnpaidOrder(transaction: Transaction, { payeeId, orderId }: OrderKey): Promise<void> {
  await transaction.run(
    {
      name: 'orders-lock-unpaid',
      text: `
        select from payment_order
        where payee_id = $1 and order_id = $2 and status = 'Initialized'
        for no key update`,
    },
    [payeeId, orderId],
  );
}

/** Notes the means of payment that a payer has opened on the menu of an unpaid order, as often as such things are noted. */
export async function insertSelection(
  transaction: Transaction,
  { payeeId, orderId, instrument }: OrderKey & { readonly instrument: OrderInstrument },
): Promise<void> {
  await transaction.run(
    {
      name: 'orders-insert-selection',
      text: `
        with changed as (
          update payment_order o
          set history_count = history_count + 1, updated_at = greatest(kontor_now(), updated_at)
          where payee_id = $1 and order_id = $2 and status = 'Initialized' and expires_at > kontor_now() and (
            select count(*)
            from order_history h
            where h.payee_id = o.payee_id and h.order_id = o.order_id and h.name = 'PaymentInstrumentSelected'
          ) < ${SELECTIONS}
          returning payee_id, order_id, history_count, updated_at
        )
        insert into order_history (payee_id, order_id, position, name, initiated_by, instrument, created_at)
        select payee_id, order_id, history_count, 'PaymentInstrumentSelected', 'Payer', $3, updated_at
        from changed`,
    },
    [payeeId, orderId, instrument],
  );
}
