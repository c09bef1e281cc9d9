import type { ApiRoute } from '../http/route.types.ts';
import { paymentChangeRoutes } from './changes/payment-changes.http.ts';
import { cardPaymentRoutes } from './payments.http.ts';
import type { PaymentRoutesOptions } from './payments.types.ts';
import { subResourceRoutes } from './sub-resources.http.ts';

/** All endpoints of card payments. */
export function paymentRoutes(options: PaymentRoutesOptions): ApiRoute[] {
  return [...cardPaymentRoutes(options), ...paymentChangeRoutes(options), ...subResourceRoutes(options)];
}
