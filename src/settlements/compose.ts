import type { Database } from '../db/open-database.ts';
import { whichPayee } from '../merchants/payees/which-payee.ts';
import type { SettlementJobsContext } from './days/days.job.ts';
import { INVARIANTS } from './invariants.store.ts';
import type { SettlementContext, SettlementRoutesOptions, SettlementService } from './settlements.types.ts';

/** What settlement is composed of. */
export interface SettlementsParts extends SettlementContext {
  readonly database: Pick<Database, 'longWork' | 'background'>;
}

/** Composes settlement: what acquirers owe, their files, and disputes. */
export function composeSettlements({ database, newId, hosts }: SettlementsParts) {
  const context: SettlementContext = { newId, hosts };
  return {
    invariants: INVARIANTS,
    routes: async ({ baseUrl }: Pick<SettlementRoutesOptions, 'baseUrl'>) => {
      const [{ settlementRoutes }, { disputeRoutes }, { portalSettlementRoutes }, ofDisputes] = await Promise.all([
        import('./settlements.http.ts'),
        import('./disputes/disputes.http.ts'),
        import('./portal-settlements.http.ts'),
        import('./disputes/portal-disputes.http.ts'),
      ]);
      // Sums over many rows: where the planner is free.
      const options = { read: database.background.read, baseUrl };
      return {
        apiRoutes: [...settlementRoutes(options), ...disputeRoutes(options)],
        portalRoutes: [
          ...portalSettlementRoutes({ ...database.background, newId }),
          ...ofDisputes.portalDisputeRoutes(database.background),
        ],
      };
    },
    startJobs: async (given: SettlementJobsContext) => {
      const { startSettling } = await import('./days/days.job.ts');
      return { stop: startSettling({ ...given, transact: database.longWork }, context) };
    },
    commands: {
      settlements: (): SettlementService => {
        const { longWork, background } = database;
        const { read, transact } = background;
        return {
          read,
          transact,
          longWork,
          context,
          whichPayee: (payee) => transact((transaction) => whichPayee(transaction, payee)),
        };
      },
    },
  };
}
