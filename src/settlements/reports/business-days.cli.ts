import type { Command } from 'commander';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { type Options, PAYEE, refuseNoPeriod } from '../asked.cli.ts';
import type { SettlementService } from '../settlements.types.ts';
import { askBusinessDays } from './ask-business-days.ts';
import { businessDaysCsv, describeBusinessDays } from './describe-business-days.ts';

type Asked = Options & { readonly from: string; readonly to: string; readonly format?: string };

/** Adds `settlements business-days`. */
export function businessDaysCommand(settlements: Command, runtime: CommandRuntime<SettlementService>): void {
  settlements
    .command('business-days')
    .description('show what is of a period by business days of acquirers, and what by the days of the payee')
    .requiredOption('--from <day>', 'the first day, as in 2026-03-01')
    .requiredOption('--to <day>', 'the last day, as in 2026-03-31')
    .option('--format <format>', 'csv prints a table for other programs')
    .option(...PAYEE)
    .option('--json', 'print an object; amounts are in minor units')
    .action(async ({ from, to, format, payee, json }: Asked) => {
      refuseNoPeriod({ from, to });
      if (format !== undefined && format !== 'csv') throw new Trouble('--format takes csv.');
      const days = await runtime.withService(async ({ report, whichPayee }) => {
        const payeeId = await whichPayee(payee);
        return report(({ run }) => askBusinessDays(run, { payeeId, from, to }));
      });
      if (json) return runtime.print(JSON.stringify(days));
      if (format === 'csv') return runtime.print(businessDaysCsv(days).trimEnd());
      for (const text of describeBusinessDays(days)) runtime.print(text);
    });
}
