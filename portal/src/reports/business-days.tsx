import type { BusinessDayLine, BusinessDayTotal } from '../../../client/portal.generated.ts';
import { exportBusinessDays, listBusinessDays } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { DayFields } from '../parts/day-fields.tsx';
import { atNoon } from '../parts/days.ts';
import { DownloadLink } from '../parts/download-link.tsx';
import { Empty } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useWords } from '../words/words.tsx';
import { useReport } from './use-report.ts';

const SUMS = ['byBusinessDay', 'byCalendarDay', 'businessDayAlone', 'calendarDayAlone'] as const;
const WITHIN = { Both: 'withinBoth', BusinessDay: 'businessDay', CalendarDay: 'calendarDay' } as const;

/** Sales and refunds with cards by the business days of acquirers and by days of the payee. */
export function BusinessDays() {
  const { t, money } = useWords();
  const { payeeId } = useSession();
  const { period, showDays } = useReport();
  const asked = { payeeId, query: period };
  const { data, error } = useRead(listBusinessDays, asked);
  const columns = useLineColumns();
  return (
    <div className="stack">
      <div className="filters">
        <DayFields days={period} onChange={showDays} />
        <DownloadLink endpoint={exportBusinessDays} input={asked} />
      </div>
      <p className="soft">{t('businessDaysText')}</p>
      <Table
        label={t('totals')}
        rows={data?.totals}
        error={error}
        rowKey={({ currency }) => currency}
        empty={<Empty title={t('noSalesOfDays')} text={t('noBusinessDaysText')} />}
        columns={[
          { title: t('total'), cell: ({ currency }: BusinessDayTotal) => <strong>{currency}</strong> },
          ...SUMS.map((name) => ({
            title: t(name),
            align: 'end' as const,
            cell: (one: BusinessDayTotal) => money(one[name], one.currency),
          })),
        ]}
      />
      {data !== undefined && data.lines.length > 0 && (
        <Table
          label={t('businessDays')}
          rows={data.lines}
          rowKey={(line) => [line.day, line.calendarDay, line.agreement, line.currency].join(' ')}
          empty={null}
          columns={columns}
          isWide
        />
      )}
    </div>
  );
}

function useLineColumns(): readonly Column<BusinessDayLine>[] {
  const { t, money, day, number } = useWords();
  const sum = (count: number, minor: number, currency: string) =>
    count === 0 ? '–' : `${number(count)} · ${money(minor, currency)}`;
  return [
    { title: t('calendarDay'), cell: ({ calendarDay }) => day(atNoon(calendarDay)) },
    { title: t('businessDay'), cell: (line) => (line.day === null ? t('notCollectedYet') : day(atNoon(line.day))) },
    { title: t('withinPeriod'), cell: ({ within }) => t(WITHIN[within]) },
    { title: t('agreement'), cell: ({ agreement }) => <span className="reference">{agreement ?? '–'}</span> },
    { title: t('sales'), align: 'end', cell: (line) => sum(line.sales, line.salesAmount, line.currency) },
    { title: t('refunds'), align: 'end', cell: (line) => sum(line.refunds, line.refundsAmount, line.currency) },
    { title: t('salesLessRefunds'), align: 'end', cell: ({ net, currency }) => money(net, currency) },
  ];
}
