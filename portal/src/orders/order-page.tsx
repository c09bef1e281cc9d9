import { Link, useParams } from '@tanstack/react-router';
import type {
  HistoryLine,
  ListedTransaction,
  OrderLegShown,
  OrderLine,
  OrderShown,
  OrderTransactionShown,
} from '../../../client/portal.generated.ts';
import { getOrderStory } from '../api/operations.generated.ts';
import { useLinked, useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Json } from '../parts/json.tsx';
import { Named } from '../parts/named.tsx';
import { Back, Facts, Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SkeletonLines } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { Timeline } from '../payments/timeline.tsx';
import { useWords } from '../words/words.tsx';
import { Instruments, OrderBadge } from './badges.tsx';
import { LegBar, LegTable, useLegName } from './legs.tsx';
import { OrderSteps, type PublicOrder } from './order-steps.tsx';

/** One order: what pays it, what each took and gave back, what can be done, and everything that happened to it. */
export function OrderPage() {
  const { t, money } = useWords();
  const { payeeId } = useSession();
  const { orderId } = useParams({ from: '/gate/orders/$orderId' });
  const story = useRead(getOrderStory, { payeeId, orderId });
  const shown = useLinked<PublicOrder>(payeeId, story.data?.order.address, '3.1');
  const back = (
    <Link to="/orders" className="back">
      <Back>{t('orders')}</Back>
    </Link>
  );
  if (story.data === undefined) {
    return (
      <Page title={t('order')} back={back}>
        <ProblemNote error={story.error} />
        {story.error === null && <SkeletonLines />}
      </Page>
    );
  }
  const { order, legs, transactions, tries, history, timeline } = story.data;
  return (
    <Page
      title={money(order.amount, order.currency)}
      beside={<OrderBadge status={order.status} />}
      back={back}
      actions={shown.data !== undefined && <OrderSteps story={story.data} shown={shown.data} />}
    >
      <div className="columns">
        <div className="stack">
          <ProblemNote error={shown.error} />
          {legs.length > 0 && (
            <section className="stack-small">
              <h2>{t('whoPays')}</h2>
              <LegBar legs={legs} total={order.amount} />
              <LegTable order={order} legs={legs} />
            </section>
          )}
          {transactions.length > 0 && <Transactions order={order} legs={legs} transactions={transactions} />}
          {tries.length > 0 && <Tries order={order} tries={tries} />}
          {order.orderItems.length > 0 && <Items currency={order.currency} items={order.orderItems} />}
          {history.length > 0 && <History order={order} history={history} />}
          <section className="card">
            <h2>{t('timeline')}</h2>
            <Timeline moments={timeline} />
          </section>
        </div>
        <div className="stack">
          <section className="card">
            <h2>{t('details')}</h2>
            <OrderFacts order={order} />
          </section>
          {shown.data !== undefined && <Json value={shown.data} />}
        </div>
      </div>
    </Page>
  );
}

function OrderFacts({ order }: { readonly order: OrderShown }) {
  const { t, exact, money } = useWords();
  const copyable = (text: string | null) => (text === null ? null : <Copyable text={text} />);
  const instant = (at: string | null) => (at === null ? null : exact(at));
  return (
    <Facts
      facts={[
        [t('number'), <Copyable key="n" text={String(order.number)} />],
        [t('id'), <Copyable key="id" text={order.orderId} />],
        [t('description'), order.description],
        [
          t('instrument'),
          order.instruments.length > 0 ? <Instruments key="i" instruments={order.instruments} /> : null,
        ],
        [t('vat'), money(order.vatAmount, order.currency)],
        [t('reference'), copyable(order.payeeReference)],
        [t('orderReference'), copyable(order.orderReference)],
        [t('payer'), order.payerReference],
        [t('problem'), order.problem === null ? null : <Named key="p" group="problem" raw={order.problem} />],
        [t('reason'), order.abortReason ?? order.cancelReason],
        [
          t('payment'),
          <Link key="c" to="/payments/$paymentId" params={{ paymentId: order.cardPaymentId }}>
            {t('card')}
          </Link>,
        ],
        [t('payUntil'), order.status === 'Initialized' ? exact(order.expiresAt) : null],
        [t('heldUntil'), instant(order.heldUntil)],
        [t('authorizedUntil'), instant(order.authorizedUntil)],
        [t('created'), exact(order.createdAt)],
        [t('updated'), exact(order.updatedAt)],
      ]}
    />
  );
}

/** Each transaction of the order, and what of it fell on which means of payment. */
function Transactions(props: {
  readonly order: OrderShown;
  readonly legs: readonly OrderLegShown[];
  readonly transactions: readonly OrderTransactionShown[];
}) {
  const { t, money } = useWords();
  const nameOf = useLegName();
  const { order, legs, transactions } = props;
  const partOf = ({ legId, amount }: OrderTransactionShown['parts'][number]) => {
    const leg = legs.find((one) => one.legId === legId);
    return `${leg === undefined ? '' : nameOf({ ...leg, name: leg.name.slice(-4) })}: ${money(amount, order.currency)}`;
  };
  return (
    <section className="stack-small">
      <h2>{t('transactions')}</h2>
      <Table
        label={t('transactions')}
        rows={transactions}
        rowKey={({ transactionId }) => transactionId}
        empty={null}
        columns={[
          {
            title: t('kind'),
            cell: ({ type, number, reference }) => (
              <>
                <Named group="transaction" raw={type} />
                <div className="soft number">{number}</div>
                {reference !== null && <div className="soft reference">{reference}</div>}
              </>
            ),
          },
          {
            title: t('state'),
            cell: ({ state, problem }) => (
              <>
                <Named group="state" raw={state} />
                {problem !== null && (
                  <span className="soft">
                    {' · '}
                    <Named group="problem" raw={problem} />
                  </span>
                )}
              </>
            ),
          },
          {
            title: t('splitTitle'),
            cell: ({ parts }) => (
              <ul className="plain">
                {parts.map((part) => (
                  <li key={part.legId}>{partOf(part)}</li>
                ))}
              </ul>
            ),
          },
          { title: t('amount'), align: 'end', cell: ({ amount }) => money(amount, order.currency) },
          { title: t('created'), align: 'end', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </section>
  );
}

function Tries({ order, tries }: { readonly order: OrderShown; readonly tries: readonly ListedTransaction[] }) {
  const { t, money } = useWords();
  return (
    <section className="stack-small">
      <h2>{t('cardTries')}</h2>
      <Table
        label={t('cardTries')}
        rows={tries}
        rowKey={({ transactionId }) => transactionId}
        empty={null}
        columns={[
          { title: t('number'), cell: ({ number }) => <span className="number">{number}</span> },
          { title: t('state'), cell: ({ state }) => <Named group="state" raw={state} /> },
          { title: t('problem'), cell: ({ problem }) => problem !== null && <Named group="problem" raw={problem} /> },
          { title: t('amount'), align: 'end', cell: ({ amount }) => money(amount, order.currency) },
          { title: t('created'), align: 'end', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </section>
  );
}

function Items({ currency, items }: { readonly currency: string; readonly items: readonly OrderLine[] }) {
  const { t, money, number } = useWords();
  const rows = items.map((item, index) => ({ ...item, key: String(index) }));
  return (
    <section className="stack-small">
      <h2>{t('items')}</h2>
      <Table
        label={t('items')}
        rows={rows}
        rowKey={({ key }) => key}
        empty={null}
        columns={[
          { title: t('name'), cell: ({ name }) => name },
          { title: t('reference'), cell: ({ reference }) => <span className="reference">{reference}</span> },
          {
            title: t('quantity'),
            align: 'end',
            cell: ({ quantity, quantityUnit }) => `${number(quantity)} ${quantityUnit}`,
          },
          { title: t('vat'), align: 'end', cell: ({ vatAmount }) => money(vatAmount, currency) },
          { title: t('amount'), align: 'end', cell: ({ amount }) => money(amount, currency) },
        ]}
      />
    </section>
  );
}

const INITIATORS = { Payee: 'byPayee', Payer: 'byPayer', PaymentGateway: 'byPaymentGateway' } as const;

function History({ order, history }: { readonly order: OrderShown; readonly history: readonly HistoryLine[] }) {
  const { t, money } = useWords();
  const rows = history.map((line, index) => ({ ...line, key: String(index) }));
  return (
    <section className="stack-small">
      <h2>{t('history')}</h2>
      <Table
        label={t('history')}
        rows={rows}
        rowKey={({ key }) => key}
        empty={null}
        columns={[
          { title: t('kind'), cell: ({ name }) => <Named group="history" raw={name} /> },
          {
            title: t('instrument'),
            cell: ({ instrument }) => instrument !== null && t(instrument === 'GiftCard' ? 'giftCard' : 'card'),
          },
          {
            title: t('amount'),
            align: 'end',
            cell: ({ amount }) => amount !== null && <span className="number">{money(amount, order.currency)}</span>,
          },
          {
            title: t('byColumn'),
            cell: ({ initiatedBy }) => t(INITIATORS[initiatedBy as keyof typeof INITIATORS]),
          },
          { title: t('created'), align: 'end', cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </section>
  );
}
