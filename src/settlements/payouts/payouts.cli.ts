import type { Command } from 'commander';
import { COMMAND_LINE } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import {
  ACQUIRER_OF_BATCH,
  type AskedBatch,
  LISTED,
  MERCHANT_OF_BATCH,
  type Options,
  PAYEE,
  refuseNoPeriod,
  whichBatch,
} from '../asked.cli.ts';
import { selectNamed } from '../files/rests-on-batch.store.ts';
import type { SettlementService } from '../settlements.types.ts';
import { describePayouts, exportPayouts } from './describe-payouts.ts';
import { markSeen } from './mark-seen.ts';
import { selectListedPayouts, selectPaidDays, selectReserves } from './payouts.store.ts';

type Runtime = CommandRuntime<SettlementService>;
type Asked = Options & { readonly from: string; readonly to: string; readonly format?: string };

/** Adds `settlements payouts` and `settlements seen`. */
export function payoutCommands(settlements: Command, runtime: Runtime): void {
  settlements
    .command('payouts')
    .description('show what acquirers pay by the day on which they pay it, to compare with the bank’s statement')
    .requiredOption('--from <day>', 'the first day, as in 2026-03-01')
    .requiredOption('--to <day>', 'the last day, as in 2026-03-31')
    .option('--format <format>', 'csv prints a table for other programs')
    .option(...PAYEE)
    .option('--json', 'print {"payouts", "days", "reserves"}; amounts are in minor units')
    .action(async ({ from, to, format, payee, json }: Asked) => {
      refuseNoPeriod({ from, to });
      if (format !== undefined && format !== 'csv') throw new Trouble('--format takes csv.');
      await runtime.withService(async ({ read, whichPayee }) => {
        const asked = { payeeId: await whichPayee(payee), from, to };
        if (format === 'csv') {
          for await (const text of exportPayouts(read, asked)) runtime.print(text.trimEnd());
          return;
        }
        const payouts = await selectListedPayouts(read, asked, { after: undefined, limit: LISTED });
        const days = await selectPaidDays(read, asked, LISTED);
        const reserves = await selectReserves(read, asked);
        if (json) return runtime.print(JSON.stringify({ payouts, days, reserves }));
        for (const text of describePayouts(payouts, days, reserves)) runtime.print(text);
        if (payouts.length === LISTED) runtime.print(`These are the latest ${LISTED}. --format csv has all.`);
      });
    });
  addSeen(settlements, runtime);
}

function addSeen(settlements: Command, runtime: Runtime): void {
  settlements
    .command('seen')
    .description('note that a payout stands on the bank’s statement')
    .argument('<batch>', 'its name, as the file has it')
    .option('--not', 'take that back')
    .option(...ACQUIRER_OF_BATCH)
    .option(...MERCHANT_OF_BATCH)
    .option(...PAYEE)
    .option('--json', 'print {"batchId", "acquirer", "merchantId", "isSeen"}')
    .action(async (name: string, { not, payee, json, ...asked }: AskedBatch & { not?: true }) => {
      const isSeen = not !== true;
      const { acquirer, merchantId } = await runtime.withService(async ({ read, transact, whichPayee }) => {
        const payeeId = await whichPayee(payee);
        const found = whichBatch(await selectNamed(read, { payeeId, name }), asked);
        await transact((transaction) => markSeen(transaction, { ...found, isSeen, actor: COMMAND_LINE }));
        return found;
      });
      if (json) return runtime.print(JSON.stringify({ batchId: name, acquirer, merchantId, isSeen }));
      runtime.print(isSeen ? 'It is noted as seen on the statement.' : 'It is no longer noted as seen.');
    });
}
