import type { Config } from '../config.ts';
import { startForgetting } from '../db/forgetting.ts';
import type { Database } from '../db/server/open-database.ts';
import type { ApiRoute } from '../http/route.types.ts';
import type { Issuers } from '../issuers/issuers.types.ts';
import { resealing } from '../keys/resealing.ts';
import type { CardPrefixes } from '../kit/cards/card-number.ts';
import { maskCardNumbersIn } from '../kit/cards/find-card-numbers.ts';
import type { WeighAct, WeighedAct, WeighedRoutes } from '../kit/given.ts';
import { FORGET_ROWS } from '../kit/limits.ts';
import type { VaultContext } from '../vault/vault.types.ts';
import { associatedDataOfRequest } from './approvals/approvals.rules.ts';
import type { ApprovalsContext } from './approvals/approvals.types.ts';
import {
  countRequestsSealedWith,
  lockRequestsSealedWith,
  updateSealedRequests,
} from './approvals/sealed-requests.store.ts';
import type { RecordingContext } from './calls/calls.types.ts';
import type { AcquirersOptions } from './installation/acquirers.types.ts';
import type { IssuersService } from './installation/installation.types.ts';

/** What the portal is composed of. */
export interface PortalParts extends VaultContext {
  readonly config: Pick<Config, 'apiLogHours' | 'givingLimits'>;
  readonly database: Pick<Database, 'read' | 'transact' | 'report' | 'background' | 'reportReads'>;
  readonly issuers: Issuers;
  /** Where cards are charged, and how the lines of this process to there are. */
  readonly acquirers: Omit<AcquirersOptions, 'read'>;
  readonly cardPrefixes: () => CardPrefixes;
}

type JobsGiven = Omit<RecordingContext, 'newId' | 'now' | 'maskCardNumbers' | 'hours'>;

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
    keyUses: [PENDING_CHANGES],
    routes: ({ baseUrl }: { readonly baseUrl: () => string }) => pagesOf(parts, baseUrl),
    /** Routes of the API as pages of the portal call them: what gives away much waits for another person. */
    weighing: async (apiRoutes: readonly ApiRoute[], acts: readonly WeighedAct[]) => {
      const [{ weighed }, { approvalRoutes }] = await Promise.all([
        import('./approvals/giving.http.ts'),
        import('./approvals/approvals.http.ts'),
      ]);
      return {
        apiRoutes: apiRoutes.map((route) => weighed(route, approvals)),
        portalRoutes: approvalRoutes(approvals, apiRoutes, acts),
      };
    },
    /** What other slices weigh by it: acts that no operation of the API does. */
    weighAct: async (...asked: Parameters<WeighAct>) =>
      (await import('./approvals/weigh-act.flow.ts')).weighActs(approvals)(...asked),
    /** Whether what always needs another person needs one in a currency. */
    alwaysNeedsAnother: async (...asked: Parameters<WeighedRoutes['alwaysNeedsAnother']>) =>
      (await import('./approvals/weigh-giving.ts')).alwaysNeedsAnother(approvals, ...asked),
    startJobs: async (given: JobsGiven) => {
      const { forgetGivings } = await import('./approvals/weigh-giving.ts');
      const calls = await startCallLog(parts, given);
      const stop = startForgetting(given, {
        work: 'forget-givings',
        forget: async (transaction) => (await forgetGivings(transaction)) === FORGET_ROWS,
      });
      return { calls, stop: async () => void (await Promise.all([calls?.stop(), stop()])) };
    },
    commands: {
      issuers: (): IssuersService => ({ report: database.report, issuers }),
    },
  };
}

async function pagesOf({ config, database, keyRing, newId, issuers, acquirers }: PortalParts, baseUrl: () => string) {
  const [
    activity,
    installation,
    acquirerPages,
    home,
    payments,
    orders,
    giftCards,
    ledger,
    calls,
    views,
    { portalPageRoutes },
    { portalPage },
  ] = await Promise.all([
    import('./activity/activity.http.ts'),
    import('./installation/installation.http.ts'),
    import('./installation/acquirers.http.ts'),
    import('./home/home.http.ts'),
    import('./payments/payments.http.ts'),
    import('./orders/orders.http.ts'),
    import('./gift-cards/gift-cards.http.ts'),
    import('./ledger/ledger.http.ts'),
    import('./calls/calls.http.ts'),
    import('./views.http.ts'),
    import('./portal-page.http.ts'),
    import('./portal-page.adapter.ts'),
  ]);
  const { read, background, reportReads } = database;
  const { transact } = background;
  const callHours = config.apiLogHours;
  const options = { read, readFor: reportReads.readFor, transact, keyRing, newId, callHours, baseUrl };
  return {
    openRoutes: portalPageRoutes(portalPage()),
    portalRoutes: [
      ...activity.activityRoutes({ transact, read: background.read }),
      ...installation.installationRoutes({ read, transact, issuers }),
      ...acquirerPages.acquirerRoutes({ read: background.read, ...acquirers }),
      ...home.portalHomeRoutes(options),
      ...payments.portalPaymentRoutes(options),
      ...orders.portalOrderRoutes(options),
      ...giftCards.portalGiftCardRoutes(options),
      ...ledger.portalLedgerRoutes(options),
      ...calls.portalCallRoutes(options),
      ...views.portalViewRoutes(options),
    ],
  };
}

/** What programs have sent is kept for their payee to see, unless it is to be kept for no time at all. */
async function startCallLog({ config, newId, cardPrefixes }: PortalParts, given: JobsGiven) {
  const hours = config.apiLogHours;
  if (hours === 0) return undefined;
  const { startRecordingCalls } = await import('./calls/record-calls.job.ts');
  const maskCardNumbers = (text: string) => maskCardNumbersIn(text, cardPrefixes());
  return startRecordingCalls({ ...given, newId, now: () => performance.now(), maskCardNumbers, hours });
}
