import type { Command } from 'commander';
import type { CommandRuntime } from '../../kit/command.types.ts';
import { Trouble } from '../../kit/work/trouble.ts';
import { type Options, PAYEE, refuseNoPeriod } from '../asked.cli.ts';
import type { SettlementService } from '../settlements.types.ts';
import { askSales } from './ask-sales.ts';
import { describeSales, salesCsv } from './describe-sales.ts';
import { columnsOf } from './sales.rules.ts';

type Asked = Options & {
  readonly from: string;
  readonly to: string;
  readonly by?: string;
  readonly shop?: string;
  readonly site?: string;
  readonly terminal?: string;
  readonly format?: string;
};

/** Adds `ledger sales`. */
export function salesCommand(ledger: Command, runtime: CommandRuntime<SettlementService>): void {
  ledger
    .command('sales')
    .description('show what was sold and given back on some days, by day, shop, terminal, VAT rate, means or brand')
    .requiredOption('--from <day>', 'the first day, as in 2026-03-01')
    .requiredOption('--to <day>', 'the last day, as in 2026-03-31')
    .option('--by <columns>', 'day, shop, site, terminal, vatRate, means and brand, with commas between (default: day)')
    .option('--shop <name>', 'only of this payeeName or merchantName')
    .option('--site <id>', 'only of this siteId')
    .option('--terminal <id>', 'only of this terminal')
    .option('--format <format>', 'csv prints a table for other programs')
    .option(...PAYEE)
    .option('--json', 'print an object; amounts are in minor units')
    .action(async ({ from, to, by, format, payee, json, shop, site, terminal }: Asked) => {
      refuseNoPeriod({ from, to });
      if (format !== undefined && format !== 'csv') throw new Trouble('--format takes csv.');
      const columns = columnsOf(by);
      const sales = await runtime.withService(async ({ read, whichPayee }) =>
        askSales(read, { payeeId: await whichPayee(payee), from, to, by: columns, shop, site, terminal }),
      );
      if (json) return runtime.print(JSON.stringify(sales));
      if (format === 'csv') return runtime.print(salesCsv(sales).trimEnd());
      for (const text of describeSales(sales)) runtime.print(text);
    });
}
