import type { ApiRoute } from '../http/route.types.ts';
import type { AccountRoutesOptions } from './accounts.types.ts';
import { followUpRoutes } from './follow-up.http.ts';
import { balanceRoutes } from './identifying/balance.http.ts';
import { openingRoutes } from './opening.http.ts';
import { paymentReadRoutes } from './payment-reads.http.ts';

/** All endpoints of account payments. */
export function accountRoutes(options: AccountRoutesOptions): ApiRoute[] {
  return [
    ...openingRoutes(options),
    ...followUpRoutes(options),
    ...paymentReadRoutes(options),
    ...balanceRoutes(options),
  ];
}
