import type { Database } from '../db/server/open-database.ts';
import { COMMAND_LINE } from '../kit/caller.ts';
import type { WeighAct } from '../kit/given.ts';
import { whichPayee } from '../merchants/payees/which-payee.ts';
import { BOOKED_INVARIANTS } from './booked-invariants.store.ts';
import { CONVERSION_INVARIANTS } from './conversions.store.ts';
import { INVARIANTS } from './invariants.store.ts';
import { BALANCES_ARE_KEPT } from './reports/balance-invariant.store.ts';
import type { BalancesContext } from './reports/keep-balances.job.ts';
import type { SettlementContext, SettlementRoutesOptions, SettlementService } from './settlements.types.ts';

/** What settlement is composed of. */
export interface SettlementsParts extends SettlementContext {
  readonly database: Pick<Database, 'longWork' | 'report' | 'background' | 'reportReads'>;
}

/** What people book by hand may need another person. */
interface Weighing {
  readonly weighAct: WeighAct;
}

/** Composes settlement: what acquirers owe, their files, and disputes. */
export function composeSettlements({ database, newId, hosts }: SettlementsParts) {
  const context: SettlementContext = { newId, hosts };
  const acts = async () => {
    const { settlementActs } = await import('./settlement-acts.flow.ts');
    return settlementActs({ read: database.background.read, transact: database.longWork, newId });
  };
  return {
    invariants: [...INVARIANTS, ...BOOKED_INVARIANTS, ...CONVERSION_INVARIANTS, BALANCES_ARE_KEPT],
    /** What of settlement may need a second person. */
    acts: async () => Object.values(await acts()),
    routes: async ({ baseUrl, weighAct }: Pick<SettlementRoutesOptions, 'baseUrl'> & Weighing) => {
      const [
        { settlementRoutes },
        { disputeRoutes },
        { portalSettlementRoutes },
        ofDisputes,
        ofPayouts,
        ofPages,
        ofReports,
        ofTables,
        ofFiles,
        { sentFile },
      ] = await Promise.all([
        import('./settlements.http.ts'),
        import('./disputes/disputes.http.ts'),
        import('./portal-settlements.http.ts'),
        import('./disputes/portal-disputes.http.ts'),
        import('./payouts/payouts.http.ts'),
        import('./payouts/portal-payouts.http.ts'),
        import('./reports/reports.http.ts'),
        import('./reports/portal-reports.http.ts'),
        import('./files/portal-files.http.ts'),
        import('./files/sent-file.adapter.ts'),
      ]);
      // Sums over many rows: where the planner is free.
      const options = { read: database.background.read, baseUrl };
      const reports = { ...database.reportReads, baseUrl };
      return {
        apiRoutes: [
          ...settlementRoutes(options),
          ...ofPayouts.payoutRoutes(options),
          ...disputeRoutes(options),
          ...ofReports.reportRoutes(reports),
        ],
        portalRoutes: [
          ...portalSettlementRoutes({
            read: database.background.read,
            longWork: database.longWork,
            context,
            acts: await acts(),
            weighAct,
          }),
          ...ofDisputes.portalDisputeRoutes({ read: database.background.read, acts: await acts(), weighAct }),
          ...ofPages.portalPayoutRoutes(database.background),
          ...ofTables.portalReportRoutes(reports),
          ...ofFiles.portalFileRoutes({ ...database.background, longWork: database.longWork, context, sentFile }),
        ],
      };
    },
    startJobs: (given: Pick<BalancesContext, 'background' | 'workOn'>) =>
      startJobs({ ...given, ...database.background, longWork: database.longWork }, context),
    commands: {
      settlements: ({ weighAct }: Weighing): SettlementService => {
        const { longWork, report, background } = database;
        const { read, transact } = background;
        return {
          read,
          transact,
          report,
          longWork,
          context,
          act: async (name, asked) =>
            weighAct((await acts())[name], asked, { actor: COMMAND_LINE, isReauthenticated: true }),
          whichPayee: (payee) => transact((transaction) => whichPayee(transaction, payee)),
        };
      },
    },
  };
}

type JobsContext = BalancesContext & Pick<Database, 'longWork'>;

async function startJobs({ longWork, ...given }: JobsContext, context: SettlementContext) {
  const [{ startSettling }, { startKeepingBalances }] = await Promise.all([
    import('./days/days.job.ts'),
    import('./reports/keep-balances.job.ts'),
  ]);
  const stops = [startSettling({ ...given, transact: longWork }, context), startKeepingBalances(given)];
  return { stop: async () => void (await Promise.all(stops.map((stop) => stop()))) };
}
