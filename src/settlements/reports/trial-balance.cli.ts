import type { Command } from 'commander';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { type Options, PAYEE, refuseNoPeriod } from '../asked.cli.ts';
import type { SettlementService } from '../settlements.types.ts';
import { askTrialBalance } from './ask-trial-balance.ts';
import { describeTrialBalance, trialBalanceCsv } from './describe-trial-balance.ts';

type Asked = Options & { readonly from: string; readonly to: string; readonly format?: string };

/** Adds `ledger trial-balance`. */
export function trialBalanceCommand(ledger: Command, runtime: CommandRuntime<SettlementService>): void {
  ledger
    .command('trial-balance')
    .description(
      'show what each side of the ledger stood at before and after some days, what moved, and whether it ties out',
    )
    .requiredOption('--from <day>', 'the first day, as in 2026-03-01')
    .requiredOption('--to <day>', 'the last day, as in 2026-03-31')
    .option('--format <format>', 'csv prints a table for other programs')
    .option(...PAYEE)
    .option('--json', 'print an object; amounts are in minor units')
    .action(async ({ from, to, format, payee, json }: Asked) => {
      refuseNoPeriod({ from, to });
      if (format !== undefined && format !== 'csv') throw new Trouble('--format takes csv.');
      const balance = await runtime.withService(async ({ report, whichPayee }) => {
        const payeeId = await whichPayee(payee);
        return report(({ run }) => askTrialBalance(run, { payeeId, from, to }));
      });
      if (json) runtime.print(JSON.stringify(balance));
      else if (format === 'csv') runtime.print(trialBalanceCsv(balance).trimEnd());
      else for (const text of describeTrialBalance(balance)) runtime.print(text);
      const [wrong] = balance.ties.filter(({ difference }) => difference !== 0);
      if (wrong !== undefined) throw new Trouble('The ledger does not tie out. Run: kontor ledger verify');
    });
}
