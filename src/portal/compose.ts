import { resealing } from '../keys/resealing.ts';
import type { WeighedRoutes } from '../kit/given.ts';
import { associatedDataOfRequest } from './approvals/approvals.rules.ts';
import {
  countRequestsSealedWith,
  lockRequestsSealedWith,
  updateSealedRequests,
} from './approvals/sealed-requests.store.ts';
import { weighActs } from './approvals/weigh-act.flow.ts';
import { alwaysNeedsAnother } from './approvals/weigh-giving.ts';
import type { IssuersService } from './installation/installation.types.ts';
import type { PortalContext } from './portal.types.ts';

const PENDING_CHANGES = resealing({
  purpose: 'secrets',
  count: countRequestsSealedWith,
  lock: lockRequestsSealedWith,
  update: updateSealedRequests,
  associatedDataOf: associatedDataOfRequest,
});

/** Composes what the merchant portal shows, and what it has to agree to. */
export function composePortal(context: PortalContext) {
  const { database, issuers } = context;
  return {
    context,
    keyUses: [PENDING_CHANGES],
    /** What other slices weigh by it: acts that no operation of the API does. */
    weighAct: weighActs(context),
    /** Whether what always needs another person needs one in a currency. */
    alwaysNeedsAnother: ((...asked) =>
      alwaysNeedsAnother(context, ...asked)) satisfies WeighedRoutes['alwaysNeedsAnother'],
    commands: {
      issuers: (): IssuersService => ({ report: database.report, issuers }),
    },
  };
}
