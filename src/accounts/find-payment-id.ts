import { isUuid, type PayeeId } from '../kit/ids.ts';
import type { PaymentId } from '../ledger/ledger.types.ts';
import type { AccountsContext } from './accounts.types.ts';

/** A whole number that a double holds, without leading zeros. */
const NUMBER = /^[1-9][0-9]{0,15}$/;

/**
 * The payment that a path names: by its id, or by the number that it has as a deposit on a gift card. Undefined where the
 * text is neither; an id need not be one of ours.
 */
export async function findPaymentId(
  { lookUps }: Pick<AccountsContext, 'lookUps'>,
  { payeeId, paymentId }: { readonly payeeId: PayeeId; readonly paymentId: string },
): Promise<PaymentId | undefined> {
  if (isUuid(paymentId)) return paymentId.toLowerCase() as PaymentId;
  const number = Number(paymentId);
  if (!NUMBER.test(paymentId) || !Number.isSafeInteger(number)) return undefined;
  return (await lookUps.paymentNumber({ payeeId, number }))?.paymentId;
}
