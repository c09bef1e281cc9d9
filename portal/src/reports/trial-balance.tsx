import type { TrialBalance as Answer, TrialBalanceLine, TrialBalanceTie } from '../../../client/kontor.generated.ts';
import { exportTrialBalance, getTrialBalance } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Badge } from '../parts/badge.tsx';
import { DayFields } from '../parts/day-fields.tsx';
import { DownloadLink } from '../parts/download-link.tsx';
import { Named } from '../parts/named.tsx';
import { Empty } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useWords } from '../words/words.tsx';
import { AGAIN_MS, useReport } from './use-report.ts';

type Total = Answer['trialBalance']['totals'][number];

/** What each side of the ledger stood at before and after some days, what moved, and whether it ties out. */
export function TrialBalance() {
  const { t } = useWords();
  const { payeeId, can } = useSession();
  const { period, showDays } = useReport();
  const asked = { payeeId, query: period };
  const { data, error } = useRead(getTrialBalance, asked, {
    again: ({ trialBalance }) => trialBalance.lines.length === 0 && AGAIN_MS,
  });
  const balance = data?.trialBalance;
  const sums = useSumColumns();
  const about = useAbout();
  return (
    <div className="stack">
      <div className="filters">
        <DayFields days={period} onChange={showDays} />
        {can('exportTrialBalance') && <DownloadLink endpoint={exportTrialBalance} input={asked} />}
      </div>
      <p className="soft">{t('trialBalanceText')}</p>
      <Table
        label={t('trialBalance')}
        rows={balance?.lines}
        error={error}
        rowKey={({ side, currency, agreement, product }) => [side, currency, agreement, product].join(' ')}
        empty={<Empty title={t('nothingBooked')} text={t('nothingBookedText')} />}
        columns={[{ title: t('side'), cell: ({ side }) => <Named group="side" raw={side} /> }, about, ...sums]}
      />
      {balance !== undefined && balance.lines.length > 0 && (
        <Table
          label={t('totals')}
          rows={balance.totals}
          rowKey={({ currency }) => currency}
          empty={null}
          columns={[{ title: t('totals'), cell: ({ currency }) => `${t('allSides')} · ${currency}` }, ...sums]}
        />
      )}
      {balance !== undefined && balance.ties.length > 0 && <Ties ties={balance.ties} />}
    </div>
  );
}

/** What a line is about: an agreement with an acquirer, or a product of gift cards. */
function useAbout(): Column<Pick<TrialBalanceLine, 'agreement' | 'product'>> {
  const { t } = useWords();
  return {
    title: t('agreementOrProduct'),
    cell: ({ agreement, product }) => <span className="reference">{agreement ?? product ?? '–'}</span>,
  };
}

function useSumColumns(): readonly Column<Total>[] {
  const { t, money } = useWords();
  return [
    { title: t('openingBalance'), align: 'end', cell: ({ opening, currency }) => money(opening, currency) },
    { title: t('debit'), align: 'end', cell: ({ debit, currency }) => money(debit, currency) },
    { title: t('creditColumn'), align: 'end', cell: ({ credit, currency }) => money(credit, currency) },
    { title: t('closingBalance'), align: 'end', cell: ({ closing, currency }) => money(closing, currency) },
  ];
}

/** What the ledger comes to now, beside what is counted elsewhere. */
function Ties({ ties }: { readonly ties: readonly TrialBalanceTie[] }) {
  const { t, money } = useWords();
  return (
    <section className="stack-small">
      <h2>{t('tieOut')}</h2>
      <p className="soft">{t('tieOutText')}</p>
      <Table
        label={t('tieOut')}
        rows={ties}
        rowKey={({ what, currency, agreement, product }) => [what, currency, agreement, product].join(' ')}
        empty={null}
        columns={[
          { title: t('kind'), cell: ({ what }) => <span title={what}>{t(`tie${what}`)}</span> },
          useAbout(),
          { title: t('closingBalance'), align: 'end', cell: ({ closing, currency }) => money(closing, currency) },
          { title: t('bookedSince'), align: 'end', cell: ({ since, currency }) => money(since, currency) },
          { title: t('countedNow'), align: 'end', cell: ({ counted, currency }) => money(counted, currency) },
          {
            title: t('difference'),
            align: 'end',
            cell: ({ difference, currency }) => (
              <Badge tone={difference === 0 ? 'good' : 'bad'}>{money(difference, currency)}</Badge>
            ),
          },
        ]}
      />
    </section>
  );
}
