import { Link, useParams } from '@tanstack/react-router';
import type { SettlementAnswer } from '../../../client/kontor.generated.ts';
import { exportSettlementDay, getSettlement } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { atNoon } from '../parts/days.ts';
import { DownloadLink } from '../parts/download-link.tsx';
import { Back, Facts, Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SkeletonLines } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useWords, type WordKey } from '../words/words.tsx';
import { SettlementBadge } from './badges.tsx';
import { Differences } from './differences.tsx';

type Shown = SettlementAnswer['settlement'];

/** A closed day: its totals, what was paid of it, what differs. */
export function SettlementPage() {
  const { t, day } = useWords();
  const { payeeId, can } = useSession();
  const { settlementId } = useParams({ from: '/gate/settlements/$settlementId' });
  const { data, error } = useRead(getSettlement, { payeeId, settlementId });
  return (
    <Page
      title={data === undefined ? t('settlement') : day(atNoon(data.settlement.day))}
      beside={data !== undefined && <SettlementBadge state={data.settlement.state} />}
      actions={
        data !== undefined &&
        can('exportSettlementDay') && (
          <DownloadLink endpoint={exportSettlementDay} input={{ payeeId, day: data.settlement.day }} />
        )
      }
      back={
        <Link to="/settlements" className="back">
          <Back>{t('settlements')}</Back>
        </Link>
      }
    >
      {data !== undefined && <SettlementShown one={data.settlement} />}
      {data === undefined && (error === null ? <SkeletonLines /> : <ProblemNote error={error} />)}
    </Page>
  );
}

function SettlementShown({ one }: { readonly one: Shown }) {
  const { t, money, exact } = useWords();
  const { currency } = one;
  const missing = one.totals.net - one.settled.amount;
  return (
    <div className="columns">
      <div className="stack">
        <Totals one={one} />
        <section>
          <h2>{t('differences')}</h2>
          <Differences
            rows={one.differences.map((difference) => ({ ...difference, currency }))}
            empty={<p>{t('noDifferences')}</p>}
          />
        </section>
        <section>
          <h2>{t('payouts')}</h2>
          <Payouts one={one} />
        </section>
      </div>
      <section className="card">
        <Facts
          facts={[
            [t('owed'), money(one.totals.net, currency)],
            [t('settledAmount'), money(one.settled.amount, currency)],
            [t('missingAmount'), missing === 0 ? null : money(missing, currency)],
            [t('openTakeBacks'), one.openTakeBacks === 0 ? null : String(one.openTakeBacks)],
            [t('agreement'), one.agreement],
            [t('acquirer'), one.acquirer],
            [t('merchantNumber'), <Copyable key="m" text={one.merchantId} />],
            [t('closedTime'), exact(one.closedAt)],
            [t('id'), <Copyable key="i" text={one.settlementId} />],
          ]}
        />
      </section>
    </div>
  );
}

const TOTALS = ['sales', 'salesTakenBack', 'refunds', 'refundsTakenBack'] as const satisfies readonly WordKey[];

function Totals({ one: { totals, acquirerTotals, currency } }: { readonly one: Shown }) {
  const { t, money } = useWords();
  return (
    <Table
      label={t('totals')}
      rows={TOTALS}
      rowKey={(name) => name}
      empty={null}
      columns={[
        { title: t('kind'), cell: (name) => <strong>{t(name)}</strong> },
        { title: t('howMany'), align: 'end', cell: (name) => totals[name].number },
        { title: t('amount'), align: 'end', cell: (name) => money(totals[name].amount, currency) },
        ...(acquirerTotals === undefined
          ? []
          : [
              {
                title: t('acquirerCounts'),
                align: 'end' as const,
                cell: (name: (typeof TOTALS)[number]) => money(acquirerTotals[name].amount, currency),
              },
            ]),
      ]}
    />
  );
}

function Payouts({ one: { payouts } }: { readonly one: Shown }) {
  const { t, money, day } = useWords();
  return (
    <Table
      label={t('payouts')}
      rows={payouts}
      rowKey={({ batch, merchantId }) => `${batch} ${merchantId}`}
      empty={<p>{t('noPayouts')}</p>}
      columns={[
        { title: t('paidOn'), cell: ({ valueDate }) => (valueDate === undefined ? '–' : day(atNoon(valueDate))) },
        { title: t('batch'), cell: ({ batch }) => <span className="reference">{batch}</span> },
        { title: t('beforeFees'), align: 'end', cell: ({ gross, currency }) => money(gross, currency) },
        { title: t('fees'), align: 'end', cell: ({ fee, currency }) => money(fee, currency) },
        { title: t('paidAmount'), align: 'end', cell: ({ amount, currency }) => money(amount, currency) },
      ]}
    />
  );
}
