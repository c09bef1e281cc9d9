import type { Config } from '../config.ts';
import type { BatchObserver } from '../db/batch/batch.types.ts';
import type { Database } from '../db/open-database.ts';
import type { Invariant } from '../journal/invariants.types.ts';
import type { ExpiryContext, LedgerService } from './accounts/ledger-reads.types.ts';
import type { LedgerContext } from './ledger.types.ts';
import { makeLedger } from './make-ledger.ts';

/** What the ledger is composed of. */
export interface LedgerParts extends LedgerContext {
  readonly config: Pick<Config, 'batchMax'>;
  readonly database: Pick<Database, 'batch' | 'report' | 'background'>;
  /** Is told how batches go. */
  readonly observer: BatchObserver;
  /** What must hold of the tables of slices above this one. */
  readonly invariants: () => readonly Invariant[];
}

/** Composes the ledger: the engine of batches, the release of holds, and the check of the books. */
export function composeLedger({ config, database, observer, invariants, ...context }: LedgerParts) {
  const { batchMax } = config;
  const ledger = makeLedger((program) => database.batch(program, { batchMax, observer }), context);
  return {
    ledger,
    startJobs: async (given: Omit<ExpiryContext, 'ledger' | 'newId'>) => {
      const { startExpiringHolds } = await import('./expiry/expire-overdue.job.ts');
      return { stop: startExpiringHolds({ ...given, ledger, newId: context.newId }) };
    },
    commands: {
      ledger: (): LedgerService => ({
        report: database.report,
        transact: database.background.transact,
        invariants: invariants(),
      }),
    },
  };
}
