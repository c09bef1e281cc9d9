import type { Issuers } from '../issuers/issuers.types.ts';
import { resealing } from '../keys/resealing.ts';
import type { WeighedRoutes } from '../kit/given.ts';
import type { Kontor } from '../kontor.types.ts';
import { associatedDataOfRequest } from './approvals/approvals.rules.ts';
import type { ApprovalsContext } from './approvals/approvals.types.ts';
import {
  countRequestsSealedWith,
  lockRequestsSealedWith,
  updateSealedRequests,
} from './approvals/sealed-requests.store.ts';
import { weighActs } from './approvals/weigh-act.flow.ts';
import { alwaysNeedsAnother } from './approvals/weigh-giving.ts';
import type { AcquirersOptions } from './installation/acquirers.types.ts';
import type { IssuersService } from './installation/installation.types.ts';

/** What the portal is composed of. */
export interface PortalParts extends Kontor {
  readonly issuers: Issuers;
  /** Where cards are charged, and how the lines of this process to there are. */
  readonly acquirers: Omit<AcquirersOptions, 'read'>;
}

const PENDING_CHANGES = resealing({
  purpose: 'secrets',
  count: countRequestsSealedWith,
  lock: lockRequestsSealedWith,
  update: updateSealedRequests,
  associatedDataOf: associatedDataOfRequest,
});

/** Composes what the merchant portal shows, and what it has to agree to. */
export function composePortal(parts: PortalParts) {
  const { config, database, keyRing, newId, issuers } = parts;
  const approvals: ApprovalsContext = {
    transact: database.transact,
    read: database.read,
    keyRing,
    newId,
    defaultLimits: config.givingLimits,
  };
  return {
    parts,
    approvals,
    keyUses: [PENDING_CHANGES],
    /** What other slices weigh by it: acts that no operation of the API does. */
    weighAct: weighActs(approvals),
    /** Whether what always needs another person needs one in a currency. */
    alwaysNeedsAnother: ((...asked) =>
      alwaysNeedsAnother(approvals, ...asked)) satisfies WeighedRoutes['alwaysNeedsAnother'],
    commands: {
      issuers: (): IssuersService => ({ report: database.report, issuers }),
    },
  };
}
