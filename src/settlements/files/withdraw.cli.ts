import type { Command } from 'commander';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { type Options, PAYEE, refuseReason, told, whichAcquirer } from '../asked.cli.ts';
import { describeWaiting } from '../describe-settlements.ts';
import type { SettlementService } from '../settlements.types.ts';
import { selectAcquirersOf, selectNumber } from './rests-on-batch.store.ts';

type Asked = Options & { readonly reason: string; readonly acquirer?: string };

/** Adds `settlements withdraw`. */
export function withdrawCommand(settlements: Command, runtime: CommandRuntime<SettlementService>): void {
  settlements
    .command('withdraw')
    .description('take back all that a batch of a wrong file has done; the right file may then have its name')
    .argument('<batch>', 'its name, as the file has it')
    .requiredOption('--reason <text>', 'why; stored with it, and in the audit trail')
    .option('--acquirer <id>', 'whose batch it is; may be left out while one acquirer has one of that name')
    .option(...PAYEE)
    .option('--json', 'print {"batchId", "acquirer", "isNew"}, and "waitsFor" where another person must agree')
    .action(async (batchId: string, { reason, acquirer: given, payee, json }: Asked) => {
      refuseReason(reason);
      const done = await runtime.withService(async ({ read, act, whichPayee }) => {
        const payeeId = await whichPayee(payee);
        const acquirer = whichAcquirer(await selectAcquirersOf(read, { payeeId, batchId }), given);
        const number = await selectNumber(read, { payeeId, acquirer, batchId });
        if (number === undefined) return { acquirer, isNew: false, waiting: undefined };
        const body = { acquirer, batch: batchId, number, reason: reason.trim() };
        return { acquirer, isNew: true, waiting: await act('withdraw', { payeeId, params: {}, body }) };
      });
      const { acquirer, isNew, waiting } = done;
      if (json) return runtime.print(JSON.stringify({ batchId, acquirer, isNew, ...told(waiting) }));
      if (waiting !== undefined) return runtime.print(describeWaiting(waiting));
      runtime.print(
        isNew
          ? 'It is withdrawn. Its sales and refunds wait for their lines again: import the right file.'
          : 'It was withdrawn before. Nothing has changed.',
      );
    });
}
