import type { Transaction } from '../../db/transaction.types.ts';
import { writeAudit } from '../../journal/write-audit.ts';
import type { KeyRing, KeyUse } from '../../keys/keys.types.ts';
import { assert } from '../../kit/assert.ts';
import type { Actor } from '../../kit/caller.ts';
import type { PayeeId } from '../../kit/ids.ts';
import { FORGET_ROWS, KEY_COUNT_ROWS, KEY_MOVE_ROWS } from '../../kit/limits.ts';
import { Secret } from '../../kit/secret.ts';
import type { Cardholder } from '../../payments/payments.types.ts';
import type { OrderId, OrderKey, SealedPayer } from '../orders.types.ts';
import type { OrderPayer } from '../requests/new-order.types.ts';
import { associatedDataOf } from './payer-data.rules.ts';
import {
  countSealedWith,
  erasePayer,
  forgetPayers,
  lockSealedWith,
  selectPayer,
  updateSealed,
} from './payers.store.ts';
import type { PayersContext } from './payers.types.ts';

/** Months after the end of an order for which it is known who paid it. */
const PAYER_MONTHS = 12;

/** What a payee has said of the payer of an order, as it is kept. */
export function sealPayer(
  keyRing: KeyRing,
  { payeeId, orderId, payer }: OrderKey & { readonly payer: OrderPayer },
): SealedPayer {
  const key = { payeeId, orderId };
  const sealedWith = keyRing.current('card-data');
  return {
    ...key,
    sealed: keyRing.seal(sealedWith, associatedDataOf(key), new Secret(JSON.stringify(payer))),
    sealedWith,
  };
}

/** What is known of the payer of an order; undefined where nothing was said, or it was erased. */
export async function findPayer(
  { read, keyRing }: Pick<PayersContext, 'read' | 'keyRing'>,
  { payeeId, orderId }: OrderKey,
): Promise<OrderPayer | undefined> {
  const key = { payeeId, orderId };
  const sealed = await selectPayer(read, key);
  return sealed && (JSON.parse(keyRing.open(associatedDataOf(key), sealed).reveal()) as OrderPayer);
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

/** Erases what all orders of a payee know of a payer. Answers of how many. */
export async function erasePayerOf(
  transaction: Transaction,
  { actor, ...named }: { readonly actor: Actor; readonly payeeId: PayeeId; readonly payerReference: string },
): Promise<number> {
  const erased = await erasePayer(transaction, named);
  const { payeeId } = named;
  await writeAudit(transaction, [
    { payeeId, actor, action: 'erase-payer', objectId: payeeId, details: { times: erased } },
  ]);
  return erased;
}

/** Erases some payers whose orders ended long ago; whether there may be more. */
export async function forgetSomePayers(transaction: Transaction): Promise<boolean> {
  return (await forgetPayers(transaction, { months: PAYER_MONTHS, limit: FORGET_ROWS })) === FORGET_ROWS;
}

/** Payers as users of the card-data key: a rotation wraps their data keys anew and decrypts nothing. */
export const ORDER_PAYER_KEY_USE: KeyUse = {
  purpose: 'card-data',
  count: (transaction, keyId) => countSealedWith(transaction, { keyId, limit: KEY_COUNT_ROWS }),
  async move(transaction, keyRing, change) {
    const payers = await lockSealedWith(transaction, { keyId: change.from, limit: KEY_MOVE_ROWS });
    const rewrapped = payers.map((payer) => ({
      ...payer,
      sealed: keyRing.rewrap(change.to, associatedDataOf(payer), payer.sealed),
    }));
    const updated = await updateSealed(transaction, rewrapped, change);
    assert(updated === payers.length, 'every locked payer is wrapped anew');
    return updated;
  },
};
