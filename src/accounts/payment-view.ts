import type { Payment } from './account-payments.types.ts';
import type { AccountsContext, PaymentView } from './accounts.types.ts';

/** A payment with what was done to it, which is read only where it is asked for. What waits for its issuer is not there yet. */
export async function paymentView(
  { lookUps }: Pick<AccountsContext, 'lookUps'>,
  payment: Payment,
  expand: ReadonlySet<string>,
): Promise<PaymentView> {
  const stored = expand.size === 0 ? [] : await lookUps.transactionsOf(payment);
  const all = stored.filter(({ state }) => state !== 'CALLING');
  return {
    payment,
    transactions: all.filter(({ operation }) => operation !== 'Cancel'),
    cancellations: all.filter(({ operation }) => operation === 'Cancel'),
  };
}
