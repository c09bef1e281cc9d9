import { command, optional } from '../../kit/command.ts';
import { CSV, NEEDED_PERIOD, PAYEE, refuseNoPeriod } from '../asked.cli.ts';
import type { SettlementRuntime } from '../settlements.types.ts';
import { askSales } from './ask-sales.ts';
import { describeSales, salesCsv } from './describe-sales.ts';
import { columnsOf } from './sales.rules.ts';

/** `ledger sales`. */
export const sales = command({
  name: 'sales',
  about: 'show what was sold and given back on some days, by day, shop, terminal, VAT rate, means or brand',
  takes: {
    ...NEEDED_PERIOD,
    by: optional(
      '<columns>',
      'day, shop, site, terminal, vatRate, means and brand, with commas between (default: day)',
    ),
    shop: optional('<name>', 'only of this payeeName or merchantName'),
    site: optional('<id>', 'only of this siteId'),
    terminal: optional('<id>', 'only of this terminal'),
    format: CSV,
    payee: PAYEE,
  },
  json: 'print an object; amounts are in minor units',
  run: ({ withService }: SettlementRuntime, { from, to, by, payee, shop, site, terminal }) => {
    refuseNoPeriod({ from, to });
    const columns = columnsOf(by);
    return withService(async ({ read, whichPayee }) =>
      askSales(read, { payeeId: await whichPayee(payee), from, to, by: columns, shop, site, terminal }),
    );
  },
  show: (sales, { format }) => (format === 'csv' ? salesCsv(sales).trimEnd() : describeSales(sales)),
});
