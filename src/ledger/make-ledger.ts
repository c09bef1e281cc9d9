import type { Batch, BatchProgram } from '../db/batch/batch.types.ts';
import type { AnyKind } from './decide-command.rules.ts';
import type { CommandKind, Ledger, LedgerCommand, LedgerContext } from './ledger.types.ts';
import { ledgerProgram, type MoneyBatch, type QueuedMoney, queueMoney } from './ledger-program.ts';

/** Makes the engine that writes the program's commands in groups: the database's. */
export type MakeBatch = (program: BatchProgram<QueuedMoney, MoneyBatch, unknown>) => Batch<QueuedMoney, unknown>;

/** Makes the ledger of a running service. */
export function makeLedger(makeBatch: MakeBatch, context: LedgerContext): Ledger {
  const { submit, stats } = makeBatch(ledgerProgram(context));
  return {
    async submit<Command extends LedgerCommand, Result, Row, Extra>(
      kind: CommandKind<Command, Result, Row, Extra>,
      command: Command,
    ): Promise<Result> {
      // The batch holds commands of many kinds. Each meets only its own kind again, so what it knows of the types holds.
      const queued = queueMoney({ kind: kind as unknown as AnyKind, command });
      return (await submit(queued)) as Result;
    },
    stats,
  };
}
