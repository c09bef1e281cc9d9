import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ListedPayment } from '../../../client/portal.generated.ts';
import { useList } from '../api/lists.ts';
import { countPayments, exportPayments, searchPayments } from '../api/operations.generated.ts';
import { useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { DownloadLink } from '../parts/download-link.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { Named } from '../parts/named.tsx';
import { Page } from '../parts/page.tsx';
import { placeName } from '../parts/place.tsx';
import { Empty } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { Views } from '../parts/views.tsx';
import { useWords } from '../words/words.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type Filters, narrowed, queryOf, tabsOf } from './filters.ts';
import { PaymentBadge } from './states.tsx';

const FIRST_PAYMENT = `curl {base}/psp/creditcard/payments \\
  -H 'Authorization: Bearer <access token>' -H 'Content-Type: application/json' \\
  -d '{"payment":{"operation":"Purchase","intent":"Authorization","currency":"NOK",
       "prices":[{"type":"CreditCard","amount":12500,"vatAmount":2500}],"description":"First payment",
       "userAgent":"curl","language":"nb-NO"}}'`;

/** All payments, with cards and on accounts, the newest first. */
export function PaymentsPage() {
  const { t } = useWords();
  const { payeeId, timeZone, can } = useSession();
  const filters = useSearch({ from: '/gate/payments' });
  const navigate = useNavigate();
  const chosen = { payeeId, query: queryOf(filters, timeZone) };
  const list = useList(searchPayments, chosen);
  const show = (next: Filters) => void navigate({ to: '/payments', search: next });
  const narrowed = Object.keys(filters).length;
  const isByEnd = filters.state === 'ToCapture';
  return (
    <Page
      title={t('payments')}
      text={t(isByEnd ? 'toCaptureText' : 'paymentsText')}
      actions={
        <>
          {can('listViews') && <Views page="payments" onChoose={(search) => show(search)} current={filters} />}
          {can('exportPayments') && <DownloadLink endpoint={exportPayments} input={chosen} />}
        </>
      }
    >
      <StateTabs filters={filters} />
      <FilterBar filters={filters} onChange={show} />
      <Table
        label={t('payments')}
        columns={useColumns(isByEnd)}
        rows={list.rows}
        rowKey={({ paymentId }) => paymentId}
        error={list.error}
        empty={
          isByEnd && narrowed === 1 ? (
            <Empty title={t('nothingToCapture')} text={t('nothingToCaptureText')} />
          ) : narrowed > 0 ? (
            <Empty title={t('noMatch')} text={t('noMatchText')}>
              <Link to="/payments" search={{}} className="button">
                {t('clearFilters')}
              </Link>
            </Empty>
          ) : (
            <Empty
              title={t('noPayments')}
              text={t('noPaymentsText')}
              curl={FIRST_PAYMENT.replace('{base}', location.origin)}
            />
          )
        }
        foot={<ListFoot list={list} />}
      />
    </Page>
  );
}

/** @param isByEnd whether the list is of what is to be captured, those that end first in front */
function useColumns(isByEnd: boolean): readonly Column<ListedPayment>[] {
  const { t, money } = useWords();
  const reason: Column<ListedPayment> = {
    title: t('reason'),
    cell: ({ problem }) => problem !== null && <Named group="problem" raw={problem} />,
  };
  const created: Column<ListedPayment> = {
    title: t('created'),
    align: 'end',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  };
  const ofEnd: readonly Column<ListedPayment>[] = [
    {
      title: t('leftToCapture'),
      align: 'end',
      cell: ({ remaining, currency }) => <span className="number">{money(remaining.capture, currency)}</span>,
    },
    {
      title: t('endsOn'),
      align: 'end',
      cell: ({ authorizedUntil }) => authorizedUntil !== null && <Time at={authorizedUntil} />,
    },
  ];
  return [
    {
      title: t('amount'),
      align: 'end',
      cell: ({ paymentId, amount, currency }) => (
        <Link to="/payments/$paymentId" params={{ paymentId }} className="row-link number">
          {money(amount, currency)}
        </Link>
      ),
    },
    { title: t('state'), cell: ({ state }) => <PaymentBadge state={state} /> },
    ...(isByEnd ? [] : [reason]),
    {
      title: t('reference'),
      cell: ({ orderReference, reference, number }) => (
        <span className="reference">{orderReference ?? reference ?? number}</span>
      ),
    },
    { title: t('instrument'), cell: ({ masked, family }) => <span className="number">{masked ?? t(family)}</span> },
    {
      title: t('payer'),
      cell: ({ payerReference }) => payerReference !== null && <span className="reference">{payerReference}</span>,
    },
    { title: t('shop'), cell: (payment) => placeName(payment) },
    ...(isByEnd ? ofEnd : [created]),
  ];
}

/** On a phone the tabs are moved sideways. */
const intoView = (tab: HTMLElement | null) => tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });

/** One tab a state, with how many there are: above a thousand the counting ends. */
function StateTabs({ filters }: { readonly filters: Filters }) {
  const { t, number } = useWords();
  const { payeeId, timeZone } = useSession();
  const isCounted = filters.search === undefined;
  const { data } = useRead(countPayments, isCounted ? { payeeId, query: queryOf(filters, timeZone) } : undefined);
  const count = data === undefined ? '' : ` ${number(data.count)}${data.isMore ? '+' : ''}`;
  return (
    <nav className="seg seg-above" aria-label={t('state')}>
      {[undefined, ...tabsOf(filters.state)].map((state) => {
        const isCurrent = filters.state === state;
        return (
          <Link
            key={state ?? 'all'}
            to="/payments"
            search={narrowed(filters, { state })}
            activeProps={{}}
            ref={isCurrent ? intoView : undefined}
            data-current={isCurrent || undefined}
            aria-current={isCurrent ? 'page' : undefined}
          >
            {state === undefined ? t('all') : t(`payment${state}`)}
            {isCurrent && <span className="soft number">{count}</span>}
          </Link>
        );
      })}
    </nav>
  );
}
