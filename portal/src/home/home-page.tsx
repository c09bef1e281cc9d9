import { Link, Navigate } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { AnswerOf } from '../api/endpoints.types.ts';
import { getGettingStarted, getStatistics } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { MENU } from '../app/nav.ts';
import { useSession } from '../app/session.tsx';
import { SelectField } from '../parts/fields.tsx';
import { LazyChart } from '../parts/lazy-chart.tsx';
import { Named } from '../parts/named.tsx';
import { Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Skeleton } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { useWords } from '../words/words.tsx';

type CurrencyStatistics = AnswerOf<typeof getStatistics>['currencies'][number];

const PERIODS = [7, 30, 90, 365];

/** What the last days brought. A user who may not see it begins at the first screen of the menu. */
export function HomePage() {
  const { can } = useSession();
  if (can('getStatistics')) return <Overview />;
  const first = MENU.flatMap(({ places }) => places).find(({ needs }) => can(needs));
  return <Navigate to={first?.to ?? '/account'} replace />;
}

function Overview() {
  const { t } = useWords();
  const { payeeId, can } = useSession();
  const [days, setDays] = useState(30);
  const { data, error } = useRead(getStatistics, { payeeId, query: { days: String(days) } });
  return (
    <Page
      title={t('home')}
      text={t('homeText', { count: days })}
      actions={
        <SelectField
          label={t('period')}
          choices={PERIODS.map((count) => ({ id: String(count), label: t('homeText', { count }) }))}
          value={String(days)}
          onChange={(chosen) => setDays(Number(chosen))}
        />
      }
    >
      <div className="stack">
        {can('getGettingStarted') && <GettingStartedList />}
        <ProblemNote error={error} />
        {data?.isPartial && (
          <p className="note" data-tone="warn">
            {t('isPartial')}
          </p>
        )}
        {data === undefined && error === null && <OverviewSkeleton />}
        {data !== undefined && data.currencies.length > 0 && (
          <p className="soft">{t('figuresText', { zone: data.timeZone.replaceAll('_', ' ') })}</p>
        )}
        {data?.currencies.map((statistics) => (
          <CurrencyOverview key={statistics.currency} statistics={statistics} from={data.from} to={data.to} />
        ))}
      </div>
    </Page>
  );
}

function OverviewSkeleton() {
  return (
    <div className="tiles" aria-busy>
      {['a', 'b', 'c', 'd'].map((key) => (
        <div className="card stack-small" key={key}>
          <Skeleton width="40%" />
          <Skeleton width="70%" />
        </div>
      ))}
    </div>
  );
}

interface CurrencyOverviewProps {
  readonly statistics: CurrencyStatistics;
  readonly from: string;
  readonly to: string;
}

function CurrencyOverview({ statistics, from, to }: CurrencyOverviewProps) {
  const { currency } = statistics;
  const narrowed = { from, to, currency };
  return (
    <section className="stack-small" aria-label={currency}>
      <h2>{currency}</h2>
      <div className="tiles">
        <MoneyTiles statistics={statistics} narrowed={narrowed} />
      </div>
      <div className="tiles">
        <OutcomeTiles statistics={statistics} narrowed={narrowed} />
      </div>
      <div className="columns">
        <MoneyByDay statistics={statistics} />
        <Declines statistics={statistics} narrowed={narrowed} />
      </div>
    </section>
  );
}

interface NarrowedProps {
  readonly statistics: CurrencyStatistics;
  /** What each list behind a number is narrowed to. */
  readonly narrowed: { readonly from: string; readonly to: string; readonly currency: string };
}

/** What moved. Each leads to the movements that it is the sum of. */
function MoneyTiles({ statistics, narrowed }: NarrowedProps) {
  const { t, money } = useWords();
  const { currency, volume, captured, refunded, sold, spent } = statistics;
  const parts = t('volumeParts', { captured: money(captured, currency), refunded: money(refunded, currency) });
  const tiles = [
    { figure: 'volume', name: t('volume'), value: volume, text: parts },
    { figure: 'spent', name: t('valueSpent'), value: spent, text: t('valueSpentHelp') },
    { figure: 'sold', name: t('valueSold'), value: sold, text: t('valueSoldHelp') },
  ] as const;
  return tiles.map(({ figure, name, value, text }) => (
    <Link key={figure} to="/ledger" search={{ ...narrowed, figure }} className="card tile">
      <span className="soft">{name}</span>
      <span className="tile-value">{money(value, currency)}</span>
      <span className="soft">{text}</span>
    </Link>
  ));
}

/** How payments and orders ended. Each count leads to the rows that it has. */
function OutcomeTiles({ statistics, narrowed }: NarrowedProps) {
  const { t, number, percent } = useWords();
  const { paid, declined } = statistics;
  const sum = ({ payments, orders }: typeof paid) => payments + orders;
  const attempted = sum(paid) + sum(declined);
  return (
    <>
      <div className="card tile">
        <span className="soft">{t('successRate')}</span>
        <span className="tile-value">{attempted === 0 ? '–' : percent(sum(paid) / attempted)}</span>
        <span className="soft">{t('paidOfAttempted', { paid: number(sum(paid)), attempted: number(attempted) })}</span>
      </div>
      <div className="card tile">
        <span className="soft">{t('succeeded')}</span>
        <span className="tile-value">{number(sum(paid))}</span>
        <CountLinks counts={paid} narrowed={{ ...narrowed, state: 'Succeeded' }} />
      </div>
      <div className="card tile">
        <span className="soft">{t('failed')}</span>
        <span className="tile-value">{number(sum(declined))}</span>
        <CountLinks counts={declined} narrowed={{ ...narrowed, state: 'Declined' }} />
      </div>
    </>
  );
}

interface CountLinksProps {
  readonly counts: CurrencyStatistics['paid'];
  readonly narrowed: NarrowedProps['narrowed'] & {
    readonly state?: 'Succeeded' | 'Declined';
    readonly problem?: string;
  };
}

/** Payments and orders stand in lists of their own. */
function CountLinks({ counts: { payments, orders }, narrowed }: CountLinksProps) {
  const { t } = useWords();
  const { state, ...same } = narrowed;
  return (
    <span>
      {(payments > 0 || orders === 0) && (
        <Link to="/payments" search={narrowed}>
          {t('paymentsCount', { count: payments })}
        </Link>
      )}
      {payments > 0 && orders > 0 && ' · '}
      {orders > 0 && (
        <Link to="/orders" search={state === undefined ? same : { ...same, status: state }}>
          {t('ordersCount', { count: orders })}
        </Link>
      )}
    </span>
  );
}

/** Who takes no cards of issuers elsewhere sees what was paid with their own. */
function MoneyByDay({ statistics }: Pick<NarrowedProps, 'statistics'>) {
  const { t, money, number, short, day } = useWords();
  const { currency, days, captured, refunded, spent } = statistics;
  const figure = captured === 0 && refunded === 0 && spent !== 0 ? 'spent' : 'volume';
  const title = figure === 'spent' ? t('valueSpent') : t('volumeByDay');
  const chart = useMemo(
    () => ({
      at: days.map((row) => row.day),
      values: days.map((row) => row[figure]),
      format: (value: number) => short(value, currency),
    }),
    [days, figure, short, currency],
  );
  const count = ({ payments, orders }: CurrencyStatistics['paid']) => number(payments + orders);
  const isEmpty = figure === 'volume' && captured === 0 && refunded === 0;
  return (
    <section className="card">
      <h2>{title}</h2>
      {isEmpty ? <p className="soft">{t('noVolume')}</p> : <LazyChart label={title} {...chart} />}
      <details>
        <summary>{t('showTable')}</summary>
        <Table
          label={title}
          rows={days.toReversed()}
          rowKey={(row) => row.day}
          empty={null}
          columns={[
            { title: t('day'), cell: (row) => day(row.day) },
            { title: t('volume'), align: 'end', cell: (row) => money(row.volume, currency) },
            { title: t('valueSpent'), align: 'end', cell: (row) => money(row.spent, currency) },
            { title: t('valueSold'), align: 'end', cell: (row) => money(row.sold, currency) },
            { title: t('succeeded'), align: 'end', cell: (row) => count(row.paid) },
            { title: t('failed'), align: 'end', cell: (row) => count(row.declined) },
          ]}
        />
      </details>
    </section>
  );
}

/** Why attempts failed, also those of payers who paid in the end. */
function Declines({ statistics, narrowed }: NarrowedProps) {
  const { t } = useWords();
  return (
    <section className="card">
      <h2>{t('declineReasons')}</h2>
      {statistics.declines.length === 0 ? (
        <p className="soft">{t('noDeclines')}</p>
      ) : (
        <div className="stack-small">
          {statistics.declines.map(({ problem, attempts, payments, orders }) => (
            <div key={problem}>
              <div>
                <Named group="problem" raw={problem} />
              </div>
              <div>
                <span className="soft">{t('attempts', { count: attempts })}</span>
                {' · '}
                <CountLinks counts={{ payments, orders }} narrowed={{ ...narrowed, problem }} />
              </div>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

const STEPS = [
  { done: 'hasAccessToken', title: 'stepAccessToken', to: '/credentials' },
  { done: 'hasCall', title: 'stepCall', to: '/calls' },
  { done: 'hasPayment', title: 'stepPayment', to: '/payments' },
  { done: 'hasCapture', title: 'stepCapture', to: '/payments' },
  { done: 'hasWebhook', title: 'stepWebhook', to: '/webhooks' },
] as const;

/** The way to the first payment. Once all is done it is not shown any more. */
function GettingStartedList() {
  const { t } = useWords();
  const { payeeId } = useSession();
  const { data } = useRead(getGettingStarted, { payeeId });
  if (data === undefined || STEPS.every(({ done }) => data[done])) return null;
  return (
    <section className="card">
      <h2>{t('gettingStarted')}</h2>
      <ul className="checklist">
        {STEPS.map(({ done, title, to }) => (
          <li key={done} data-done={data[done] || undefined}>
            {data[done] ? <CircleCheck size={18} aria-hidden /> : <Circle size={18} aria-hidden />}
            {data[done] ? <s>{t(title)}</s> : <Link to={to}>{t(title)}</Link>}
          </li>
        ))}
      </ul>
    </section>
  );
}
