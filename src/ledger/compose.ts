import { setTimeout as pause } from 'node:timers/promises';
import type { Batch, BatchObserver, BatchProgram } from '../db/batch/batch.types.ts';
import { guardComplaints } from '../db/schema/schema-guards.ts';
import type { Invariant } from '../journal/invariants.types.ts';
import type { KeyUse } from '../keys/keys.types.ts';
import { KEY_COUNT_ROWS } from '../kit/limits.ts';
import type { Kontor } from '../kontor.types.ts';
import type { LedgerService } from './accounts/ledger-reads.types.ts';
import { countNumbersUnder } from './accounts/number-keys.store.ts';
import type { AnyKind } from './decide-command.rules.ts';
import type { CommandKind, Ledger, LedgerCommand, LedgerContext } from './ledger.types.ts';
import { ledgerProgram, type MoneyBatch, type QueuedMoney, queueMoney } from './ledger-program.ts';
import { restBeside } from './verification/rest-beside.ts';

/** What the ledger is composed of. */
export interface LedgerParts extends Kontor, LedgerContext {
  /** Is told how batches go. */
  readonly observer: BatchObserver;
  /** What must hold of the tables of slices above this one. */
  readonly invariants: () => readonly Invariant[];
}

/** Accounts whose numbers are stored nowhere: they come under the current key when they are asked for by their number. */
const ACCOUNT_NUMBER_USE: KeyUse = {
  purpose: 'account-numbers',
  endsByItself: true,
  count: (transaction, keyId) => countNumbersUnder(transaction, { keyId, limit: KEY_COUNT_ROWS }),
  move: async () => 0,
};

/** Composes the ledger: the engine of batches, and the check of the books. */
export function composeLedger({ observer, invariants, ...context }: LedgerParts) {
  const { config, database, newId } = context;
  const { batchMax } = config;
  const ledger = makeLedger((program) => database.batch(program, { batchMax, observer }), context);
  return {
    ledger,
    newId,
    keyUses: [ACCOUNT_NUMBER_USE],
    commands: {
      ledger: (): LedgerService => ({
        newId,
        report: database.report,
        reports: database.reports,
        rest: restBeside(database.background.read, pause),
        transact: database.background.transact,
        invariants: invariants(),
        guardComplaints: () => database.background.transact(guardComplaints),
      }),
    },
  };
}

/** Makes the engine that writes the program's commands in groups: the database's. */
type MakeBatch = (program: BatchProgram<QueuedMoney, MoneyBatch, unknown>) => Batch<QueuedMoney, unknown>;

/** Makes the ledger of a running service. */
export function makeLedger(makeBatch: MakeBatch, context: LedgerContext): Ledger {
  const { submit, stats } = makeBatch(ledgerProgram(context));
  return {
    submit<Command extends LedgerCommand, Result, Row>(
      kind: CommandKind<Command, Result, Row>,
      command: Command,
    ): Promise<Result> {
      // The batch holds commands of many kinds. Each meets only its own kind again, so what it knows of the types holds.
      return submit(queueMoney({ kind: kind as unknown as AnyKind, command })) as Promise<Result>;
    },
    stats,
  };
}
