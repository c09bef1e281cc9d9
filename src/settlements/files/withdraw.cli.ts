import type { Command } from 'commander';
import type { CommandRuntime } from '../../kit/command.types.ts';
import {
  ACQUIRER_OF_BATCH,
  type AskedBatch,
  MERCHANT_OF_BATCH,
  PAYEE,
  refuseReason,
  told,
  whichBatch,
} from '../asked.cli.ts';
import { describeWaiting } from '../describe-settlements.ts';
import type { SettlementService } from '../settlements.types.ts';
import { selectNamed } from './rests-on-batch.store.ts';

type Asked = AskedBatch & { readonly reason: string };

/** Adds `settlements withdraw`. */
export function withdrawCommand(settlements: Command, runtime: CommandRuntime<SettlementService>): void {
  settlements
    .command('withdraw')
    .description('take back all that a batch of a wrong file has done; the right file may then have its name')
    .argument('<batch>', 'its name, as the file has it')
    .requiredOption('--reason <text>', 'why; stored with it, and in the audit trail')
    .option(...ACQUIRER_OF_BATCH)
    .option(...MERCHANT_OF_BATCH)
    .option(...PAYEE)
    .option(
      '--json',
      'print {"batchId", "acquirer", "merchantId", "isNew"}, and "waitsFor" where another person must agree',
    )
    .action(async (name: string, { reason, payee, json, ...asked }: Asked) => {
      refuseReason(reason);
      const done = await runtime.withService(async ({ read, act, whichPayee }) => {
        const payeeId = await whichPayee(payee);
        const { acquirer, merchantId, number, stands } = whichBatch(await selectNamed(read, { payeeId, name }), asked);
        if (!stands) return { acquirer, merchantId, isNew: false, waiting: undefined };
        const body = { acquirer, batch: name, number, reason: reason.trim() };
        return { acquirer, merchantId, isNew: true, waiting: await act('withdraw', { payeeId, params: {}, body }) };
      });
      const { acquirer, merchantId, isNew, waiting } = done;
      if (json) return runtime.print(JSON.stringify({ batchId: name, acquirer, merchantId, isNew, ...told(waiting) }));
      if (waiting !== undefined) return runtime.print(describeWaiting(waiting));
      runtime.print(
        isNew
          ? 'It is withdrawn. Its sales and refunds wait for their lines again: import the right file.'
          : 'It was withdrawn before. Nothing has changed.',
      );
    });
}
