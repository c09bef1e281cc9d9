import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { SalesLine, SalesTotal } from '../../../client/kontor.generated.ts';
import { exportSales, getSales } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { DayFields } from '../parts/day-fields.tsx';
import { atNoon } from '../parts/days.ts';
import { DownloadLink } from '../parts/download-link.tsx';
import { CheckboxList } from '../parts/fields.tsx';
import { InstrumentName } from '../parts/named.tsx';
import { PlaceFields } from '../parts/place.tsx';
import { Empty } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useWords } from '../words/words.tsx';
import { SALES_COLUMNS, type SalesColumn } from './report-filters.ts';
import { AGAIN_MS, useReport } from './use-report.ts';

/** What was sold and given back on some days, told apart by what is chosen. */
export function SalesReport() {
  const { t } = useWords();
  const { payeeId, can } = useSession();
  const { filters, period, show, showDays } = useReport();
  const { shop, site, terminal } = filters;
  const by = filters.by ?? 'day';
  const asked = { payeeId, query: { ...period, by, shop, site, terminal } };
  const { data, error } = useRead(getSales, asked, {
    again: ({ salesReport }) => salesReport.totals.length === 0 && AGAIN_MS,
  });
  const columns = SALES_COLUMNS.filter((column) => by.split(',').includes(column));
  const sums = useSumColumns();
  const isOfAll = shop === undefined && site === undefined && terminal === undefined;
  const told = useColumnsOf(columns, isOfAll);
  return (
    <div className="stack">
      <div className="filters">
        <DayFields days={period} onChange={showDays} />
        <PlaceFields place={filters} onChange={show} />
        {can('exportSales') && <DownloadLink endpoint={exportSales} input={asked} />}
      </div>
      <CheckboxList
        label={t('tellApart')}
        choices={SALES_COLUMNS.map((id) => ({ id, label: t(id) }))}
        values={columns}
        // A report is told apart by something.
        onChange={(values) => values.length > 0 && show({ by: values.join(',') })}
      />
      <p className="soft">{t('feesComeLater')}</p>
      <Table
        label={t('totals')}
        rows={data?.salesReport.totals}
        error={error}
        rowKey={({ currency }) => currency}
        empty={<Empty title={t('noSalesOfDays')} text={t('noSalesOfDaysText')} />}
        columns={[{ title: t('total'), cell: ({ currency }) => <strong>{currency}</strong> }, ...sums]}
      />
      {data !== undefined && data.salesReport.totals.length > 0 && (
        <Table
          label={t('sales')}
          rows={data.salesReport.lines}
          rowKey={(line) => [line.currency, ...columns.map((column) => line[column])].join(' ')}
          empty={null}
          columns={[...told, ...sums]}
          isWide
        />
      )}
    </div>
  );
}

/** What lines are told apart by. A day leads to the movements that it is the sum of. */
function useColumnsOf(columns: readonly SalesColumn[], isOfAll: boolean): readonly Column<SalesLine>[] {
  const { t, day, percent } = useWords();
  const isByDayAlone = isOfAll && columns.length === 1;
  const shown: Readonly<Record<SalesColumn, (line: SalesLine) => ReactNode>> = {
    day: ({ day: date = '', currency }) =>
      isByDayAlone ? (
        <Link to="/ledger" search={{ figure: 'sales', currency, from: date, to: date }} className="row-link">
          {day(atNoon(date))}
        </Link>
      ) : (
        day(atNoon(date))
      ),
    shop: ({ shop }) => shop,
    site: ({ site }) => site,
    terminal: ({ terminal }) => terminal !== undefined && <span className="reference">{terminal}</span>,
    vatRate: ({ vatRate }) => vatRate !== undefined && percent(Number(vatRate) / 100),
    means: ({ means }) => means !== undefined && <InstrumentName raw={means} />,
    brand: ({ brand }) => brand,
  };
  return columns.map((column) => ({ title: t(column), cell: (line) => shown[column](line) || '–' }));
}

/** What a line, or all of a currency, comes to. */
function useSumColumns(): readonly Column<SalesTotal>[] {
  const { t, money, number } = useWords();
  const sum = (
    count: number,
    amount: number,
    { vat, currency }: { readonly vat: number; readonly currency: string },
  ) =>
    count === 0 ? (
      '–'
    ) : (
      <span className="stack-tight">
        <span>{money(amount, currency)}</span>
        <span className="soft">{t('countAndVat', { number: number(count), vat: money(vat, currency) })}</span>
      </span>
    );
  return [
    {
      title: t('sales'),
      align: 'end',
      cell: ({ sales, salesAmount, salesVat: vat, currency }) => sum(sales, salesAmount, { vat, currency }),
    },
    {
      title: t('refunds'),
      align: 'end',
      cell: ({ refunds, refundsAmount, refundsVat: vat, currency }) => sum(refunds, refundsAmount, { vat, currency }),
    },
    { title: t('salesLessRefunds'), align: 'end', cell: ({ net, currency }) => money(net, currency) },
    { title: t('fees'), align: 'end', cell: ({ fees, currency }) => (fees === 0 ? '–' : money(fees, currency)) },
  ];
}
