import { type PayeeId, uuidV7 } from '../../../src/kit/ids.ts';
import type { Currency } from '../../../src/kit/money.ts';
import type { OrderId } from '../../../src/ledger/ledger.types.ts';
import type { GuessingContext, JudgedFor } from '../../../src/orders/guessing/guessing.types.ts';
import type { OrderTerms } from '../../../src/orders/orders.types.ts';
import type { Service } from '../../../src/wiring/service.ts';
import type { TestService } from '../service.ts';

export type KnownPaymentOrder = JudgedFor;

/** What a test enters. */
export interface Entering {
  readonly number: string;
  readonly code: string;
  readonly order?: JudgedFor;
  readonly added?: readonly string[];
}

/** An order as an entry is judged for it; it is not stored. */
export function madeUpOrder(payeeId: PayeeId, more: Partial<JudgedFor> = {}): JudgedFor {
  return {
    payeeId,
    orderId: uuidV7(Date.now()) as OrderId,
    currency: 'NOK' as Currency,
    orderItems: [],
    expiresAt: new Date(Date.now() + 28 * 24 * 3_600_000).toISOString(),
    terms: {} as OrderTerms,
    ...more,
  };
}

/** What entries are judged with by an instance. No test waits. */
export function contextOf(
  { slices }: Pick<Service, 'slices'>,
  pause: GuessingContext['pause'] = () => Promise.resolve(),
): GuessingContext {
  return { ...slices.orders.guessing, pause };
}

/** Stores an order that a payer has paid with an account, as far as another order of theirs asks for it. */
export async function storePaidOrder(
  { database, payeeId }: Pick<TestService, 'database' | 'payeeId'>,
  { accountId, payerReference }: { readonly accountId: string; readonly payerReference: string },
): Promise<void> {
  const [orderId, legId, paymentId] = [uuidV7(Date.now()), uuidV7(Date.now()), uuidV7(Date.now())];
  await database.asAdmin(
    `insert into payment_order (payee_id, order_id, number, operation, intent, status, currency, amount, vat_amount,
       card_payment_id, paid_by, made_in, payer_reference, content_digest, terms, expires_at, created_at, updated_at, event_sequence)
     values ('${payeeId}', '${orderId}', 1, 'Purchase', 'Authorization', 'Paid', 'NOK', 100, 0, '${paymentId}',
       '${paymentId}', '3.1', '${payerReference}', decode(repeat('00', 32), 'hex'), '{}', kontor_now(), kontor_now(), kontor_now(), 1);
     insert into order_leg (payee_id, leg_id, order_id, position, kind, state, account_id, payment_id, instrument_type,
       name, amount, added_at, updated_at)
     values ('${payeeId}', '${legId}', '${orderId}', 1, 'Account', 'Authorized', '${accountId}', '${paymentId}',
       'giftcard', '957801******0001', 100, kontor_now(), kontor_now())`,
  );
}
