import type { Command } from 'commander';
import { COMMAND_LINE } from '../../kit/caller.ts';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { type Options, PAYEE, refuseReason } from '../asked.cli.ts';
import type { SettlementService } from '../settlements.types.ts';
import { selectAcquirersOf } from './rests-on-batch.store.ts';
import { withdrawBatch } from './withdraw-batch.ts';

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
    .option('--json', 'print {"batchId", "acquirer", "isNew"}')
    .action(async (batchId: string, { reason, acquirer: given, payee, json }: Asked) => {
      refuseReason(reason);
      const { acquirer, isNew } = await runtime.withService(async ({ read, longWork, context, whichPayee }) => {
        const payeeId = await whichPayee(payee);
        const acquirer = whichAcquirer(await selectAcquirersOf(read, { payeeId, batchId }), given);
        const now = new Date().toISOString();
        const command = { payeeId, acquirer, batchId, reason: reason.trim(), actor: COMMAND_LINE, now };
        return { acquirer, isNew: await longWork((transaction) => withdrawBatch(transaction, context, command)) };
      });
      if (json) return runtime.print(JSON.stringify({ batchId, acquirer, isNew }));
      runtime.print(
        isNew
          ? 'It is withdrawn. Its sales and refunds wait for their lines again: import the right file.'
          : 'It was withdrawn before. Nothing has changed.',
      );
    });
}

function whichAcquirer(acquirers: readonly string[], given: string | undefined): string {
  const [first, second] = given === undefined ? acquirers : acquirers.filter((one) => one === given);
  if (first === undefined) {
    throw new Trouble('There is no batch of that name. See: kontor settlements show DAY');
  }
  if (second !== undefined) throw new Trouble('Several acquirers have a batch of that name: say --acquirer ID.');
  return first;
}
