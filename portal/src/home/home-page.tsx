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

const PERIODS = [7, 30, 90];

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
  const { t, money, number, percent } = useWords();
  const { currency, volume, succeeded, failed } = statistics;
  const tried = succeeded + failed;
  const tiles = [
    { name: t('volume'), value: money(volume, currency), search: { from, to, state: 'Succeeded' } },
    { name: t('successRate'), value: tried === 0 ? '–' : percent(succeeded / tried), search: { from, to } },
    { name: t('succeeded'), value: number(succeeded), search: { from, to, state: 'Succeeded' } },
    { name: t('failed'), value: number(failed), search: { from, to, state: 'Failed' } },
  ] as const;
  return (
    <section className="stack-small" aria-label={currency}>
      <h2>{currency}</h2>
      <div className="tiles">
        {tiles.map(({ name, value, search }) => (
          <Link key={name} to="/payments" search={search} className="card tile">
            <span className="soft">{name}</span>
            <span className="tile-value">{value}</span>
          </Link>
        ))}
      </div>
      <div className="columns">
        <VolumeByDay statistics={statistics} />
        <Declines statistics={statistics} from={from} to={to} />
      </div>
    </section>
  );
}

function VolumeByDay({ statistics }: { readonly statistics: CurrencyStatistics }) {
  const { t, money, number, short, day } = useWords();
  const { currency, days, volume } = statistics;
  const chart = useMemo(
    () => ({
      at: days.map((row) => row.day),
      values: days.map(({ volume }) => volume),
      format: (value: number) => short(value, currency),
    }),
    [days, short, currency],
  );
  return (
    <section className="card">
      <h2>{t('volumeByDay')}</h2>
      {volume === 0 ? <p className="soft">{t('noVolume')}</p> : <LazyChart label={t('volumeByDay')} {...chart} />}
      <details>
        <summary>{t('showTable')}</summary>
        <Table
          label={t('volumeByDay')}
          rows={days.toReversed()}
          rowKey={(row) => row.day}
          empty={null}
          columns={[
            { title: t('day'), cell: (row) => day(row.day) },
            { title: t('volume'), align: 'end', cell: ({ volume }) => money(volume, currency) },
            { title: t('succeeded'), align: 'end', cell: ({ succeeded }) => number(succeeded) },
            { title: t('failed'), align: 'end', cell: ({ failed }) => number(failed) },
          ]}
        />
      </details>
    </section>
  );
}

function Declines({ statistics, from, to }: CurrencyOverviewProps) {
  const { t, number } = useWords();
  return (
    <section className="card">
      <h2>{t('declineReasons')}</h2>
      {statistics.failed === 0 ? (
        <p className="soft">{t('noDeclines')}</p>
      ) : (
        <dl className="facts">
          {statistics.declines.map(({ problem, count }) => (
            <div key={problem} style={{ display: 'contents' }}>
              <dt>
                <Named group="problem" raw={problem} />
              </dt>
              <dd>
                <Link to="/payments" search={{ from, to, state: 'Failed' }} className="number">
                  {number(count)}
                </Link>
              </dd>
            </div>
          ))}
        </dl>
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
