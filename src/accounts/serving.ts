import type { AccountRoutesOptions } from './accounts.types.ts';
import type { composeAccounts } from './compose.ts';
import { followUpRoutes } from './follow-up.http.ts';
import { balanceRoutes } from './identifying/balance.http.ts';
import { newPaymentRoutes } from './new-payment.http.ts';
import { paymentReadRoutes } from './payment-reads.http.ts';
import { pingRoute } from './ping.http.ts';

/** Account payments. */
export function routes(
  { database, context }: ReturnType<typeof composeAccounts>,
  { baseUrl, isExempt }: Pick<AccountRoutesOptions, 'baseUrl' | 'isExempt'>,
) {
  const options = { transact: database.transact, context, baseUrl, isExempt };
  return {
    apiRoutes: [
      ...newPaymentRoutes(options),
      ...followUpRoutes(options),
      ...paymentReadRoutes(options),
      ...balanceRoutes({ ...options, read: database.read }),
      pingRoute({ baseUrl }),
    ],
  };
}
