import type { AnyPortalRoute } from '../http/portal-route.types.ts';
import { portalCallRoutes } from './calls/calls.http.ts';
import { portalGiftCardRoutes } from './gift-cards/gift-cards.http.ts';
import { portalHomeRoutes } from './home/home.http.ts';
import { portalLedgerRoutes } from './ledger/ledger.http.ts';
import { portalPaymentRoutes } from './payments/payments.http.ts';
import type { PortalDataOptions } from './portal.types.ts';
import { portalViewRoutes } from './views.http.ts';

/** What the portal shows of a payee: what the API does not tell. */
export function portalDataRoutes(options: PortalDataOptions): AnyPortalRoute[] {
  return [
    ...portalHomeRoutes(options),
    ...portalPaymentRoutes(options),
    ...portalGiftCardRoutes(options),
    ...portalLedgerRoutes(options),
    ...portalCallRoutes(options),
    ...portalViewRoutes(options),
  ];
}
