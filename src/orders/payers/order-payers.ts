import type { Transaction } from '../../db/transaction.types.ts';
import type { KeyRing, KeyUse } from '../../keys/keys.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { FORGET_ROWS, PAYER_MONTHS } from '../../kit/limits.ts';
import type { OrderId } from '../../ledger/ledger.types.ts';
import { openPayerData, payerKeyUse, sealPayerData } from '../../payments/payers/sealed-payers.ts';
import type { Cardholder } from '../../payments/payments.types.ts';
import type { OrderKey, SealedPayer } from '../orders.types.ts';
import type { OrderPayer } from '../requests/new-order.types.ts';
import { associatedDataOf } from './payer-data.rules.ts';
import { forgetPayers, selectPayer } from './payers.store.ts';
import type { PayersContext } from './payers.types.ts';

/** What a payee has said of the payer of an order, as it is kept. */
export function sealPayer(
  keyRing: KeyRing,
  { payeeId, orderId, payer }: OrderKey & { readonly payer: OrderPayer },
): SealedPayer {
  const key = { payeeId, orderId };
  return { ...key, ...sealPayerData(keyRing, associatedDataOf(key), payer) };
}

/** What is known of the payer of an order; undefined where nothing was said, or it was erased. */
export async function findPayer(
  { read, keyRing }: Pick<PayersContext, 'read' | 'keyRing'>,
  { payeeId, orderId }: OrderKey,
): Promise<OrderPayer | undefined> {
  const key = { payeeId, orderId };
  const sealed = await selectPayer(read, key);
  return sealed && (openPayerData(keyRing, associatedDataOf(key), sealed) as OrderPayer);
}

/** The same as 3-D Secure asks for it: see `cardholder` of card payments. */
export async function findCardholder(
  context: Pick<PayersContext, 'read' | 'keyRing'>,
  { payeeId, orderId }: { readonly payeeId: PayeeId; readonly orderId: string },
): Promise<Cardholder | undefined> {
  const payer = await findPayer(context, { payeeId, orderId: orderId as OrderId });
  if (payer === undefined) return undefined;
  const { firstName, lastName, email, msisdn, billingAddress } = payer;
  const known = Object.entries({ firstName, lastName, email, msisdn, billingAddress });
  return Object.fromEntries(known.filter(([, value]) => value !== undefined)) as Cardholder;
}

/** Erases some payers whose orders ended long ago; whether there may be more. */
export async function forgetSomePayers(transaction: Transaction): Promise<boolean> {
  return (await forgetPayers(transaction, { months: PAYER_MONTHS, limit: FORGET_ROWS })) === FORGET_ROWS;
}

/** Payers as users of the card-data key: a rotation wraps their data keys anew and decrypts nothing. */
export const ORDER_PAYER_KEY_USE: KeyUse = payerKeyUse(
  { name: 'order-payers', table: 'order_payer', id: 'order_id', sealed: 'sealed', sealedWith: 'sealed_with' },
  ({ payeeId, rowId }) => associatedDataOf({ payeeId, orderId: rowId as OrderId }),
);
