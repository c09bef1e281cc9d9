import type { AnyPortalRoute } from '../http/portal-route.types.ts';
import { portalCallRoutes } from './calls.http.ts';
import { portalGiftCardRoutes } from './gift-cards.http.ts';
import { portalHomeRoutes } from './home.http.ts';
import { portalLedgerRoutes } from './ledger.http.ts';
import { portalPaymentRoutes } from './payments.http.ts';
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
