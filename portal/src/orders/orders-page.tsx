import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ListedOrder } from '../../../client/portal.generated.ts';
import { useList } from '../api/lists.ts';
import { exportOrders, searchOrders } from '../api/operations.generated.ts';
import { useSession } from '../app/session.tsx';
import { DayFields } from '../parts/day-fields.tsx';
import { DownloadLink } from '../parts/download-link.tsx';
import { SelectField } from '../parts/fields.tsx';
import { ListFoot } from '../parts/list-foot.tsx';
import { Named } from '../parts/named.tsx';
import { Page } from '../parts/page.tsx';
import { PlaceFields, placeName } from '../parts/place.tsx';
import { Empty } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { AmountFilter } from '../payments/amount-filter.tsx';
import { FilterFrame } from '../payments/filter-bar.tsx';
import { queryOf } from '../payments/filters.ts';
import { ReasonField } from '../payments/reason-field.tsx';
import { useWords } from '../words/words.tsx';
import { Instruments, OrderBadge, statusWord } from './badges.tsx';
import { narrowedOrders, ORDER_STATUSES, type OrderFilters } from './order-filters.ts';

/** All payment orders, the newest first. */
export function OrdersPage() {
  const { t } = useWords();
  const { payeeId, timeZone, can } = useSession();
  const filters = useSearch({ from: '/gate/orders' });
  const navigate = useNavigate();
  const chosen = { payeeId, query: queryOf(filters, timeZone) };
  const list = useList(searchOrders, chosen);
  const show = (next: OrderFilters) => void navigate({ to: '/orders', search: next });
  const narrowed = Object.keys(filters).length;
  const isByEnd = filters.status === 'ToCapture';
  return (
    <Page
      title={t('orders')}
      text={t(isByEnd ? 'toCaptureText' : 'ordersText')}
      actions={can('exportOrders') && <DownloadLink endpoint={exportOrders} input={chosen} />}
    >
      <OrderFilterBar filters={filters} onChange={show} />
      <Table
        label={t('orders')}
        columns={useColumns(isByEnd)}
        rows={list.rows}
        rowKey={({ orderId }) => orderId}
        error={list.error}
        empty={
          isByEnd && narrowed === 1 ? (
            <Empty title={t('nothingToCapture')} text={t('nothingToCaptureText')} />
          ) : narrowed > 0 ? (
            <Empty title={t('noMatch')} text={t('noMatchText')}>
              <Link to="/orders" search={{}} className="button">
                {t('clearFilters')}
              </Link>
            </Empty>
          ) : (
            <Empty title={t('noOrders')} text={t('noOrdersText')} />
          )
        }
        foot={<ListFoot list={list} />}
      />
    </Page>
  );
}

/** @param isByEnd whether the list is of what is to be captured, those that end first in front */
function useColumns(isByEnd: boolean): readonly Column<ListedOrder>[] {
  const { t, money } = useWords();
  const reason: Column<ListedOrder> = {
    title: t('reason'),
    cell: ({ problem }) => problem !== null && <Named group="problem" raw={problem} />,
  };
  const created: Column<ListedOrder> = {
    title: t('created'),
    align: 'end',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  };
  const ofEnd: readonly Column<ListedOrder>[] = [
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
      title: t('number'),
      cell: ({ orderId, number }) => (
        <Link to="/orders/$orderId" params={{ orderId }} className="row-link number">
          {number}
        </Link>
      ),
    },
    {
      title: t('amount'),
      align: 'end',
      cell: ({ amount, currency }) => <span className="number">{money(amount, currency)}</span>,
    },
    { title: t('state'), cell: (order) => <OrderBadge {...order} /> },
    ...(isByEnd ? [] : [reason]),
    {
      title: t('instrument'),
      cell: ({ instruments }) => instruments.length > 0 && <Instruments instruments={instruments} />,
    },
    { title: t('reference'), cell: ({ payeeReference }) => <Reference text={payeeReference} /> },
    { title: t('orderReference'), cell: ({ orderReference }) => <Reference text={orderReference} /> },
    { title: t('shop'), cell: (order) => placeName(order) },
    ...(isByEnd ? ofEnd : [created]),
  ];
}

function Reference({ text }: { readonly text: string | null }) {
  return text === null ? null : <span className="reference">{text}</span>;
}

const ANY = 'any';

interface FilterBarProps {
  readonly filters: OrderFilters;
  readonly onChange: (filters: OrderFilters) => void;
}

/** What the list is narrowed by. */
function OrderFilterBar({ filters, onChange }: FilterBarProps) {
  const { t } = useWords();
  const { search, ...chosen } = filters;
  return (
    <FilterFrame
      search={search}
      help={t('orderSearchHelp')}
      onSearch={(text) => onChange(narrowedOrders(filters, { search: text }))}
      isNarrowed={Object.keys(chosen).length > 0}
    >
      <Choices filters={filters} onChange={onChange} />
      <AmountFilter filters={filters} onChange={(amounts) => onChange(narrowedOrders(filters, { ...amounts }))} />
    </FilterFrame>
  );
}

function Choices({ filters, onChange }: FilterBarProps) {
  const { t } = useWords();
  const { from, to } = filters;
  const choose = (name: 'status' | 'instrument' | 'split') => (value: string) =>
    onChange(narrowedOrders(filters, { [name]: value === ANY ? undefined : value }));
  const all = { id: ANY, label: t('all') };
  return (
    <>
      <div className="filter-group">
        <SelectField
          label={t('state')}
          choices={[all, ...ORDER_STATUSES.map((id) => ({ id, label: t(statusWord(id)) }))]}
          value={filters.status ?? ANY}
          onChange={choose('status')}
        />
        <SelectField
          label={t('instrument')}
          choices={[all, { id: 'CreditCard', label: t('card') }, { id: 'GiftCard', label: t('giftCard') }]}
          value={filters.instrument ?? ANY}
          onChange={choose('instrument')}
        />
        <SelectField
          label={t('splitPayment')}
          choices={[all, { id: 'yes', label: t('yes') }, { id: 'no', label: t('no') }]}
          value={filters.split ?? ANY}
          onChange={choose('split')}
        />
      </div>
      <ReasonField problem={filters.problem} onChange={(problem) => onChange(narrowedOrders(filters, { problem }))} />
      <DayFields
        days={{ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }}
        onChange={(days) => onChange(narrowedOrders(filters, { from: days.from, to: days.to }))}
      />
      <div className="filter-group">
        <PlaceFields place={filters} onChange={(change) => onChange(narrowedOrders(filters, change))} />
      </div>
    </>
  );
}
