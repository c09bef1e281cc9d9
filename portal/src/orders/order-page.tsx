import { Link, useParams } from '@tanstack/react-router';
import type { OrderLine, OrderShown, OrderTransactionShown } from '../../../client/portal.generated.ts';
import { getOrderStory } from '../api/operations.generated.ts';
import { useLinked, useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { WaitingNote } from '../approvals/waiting-note.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Json } from '../parts/json.tsx';
import { Named } from '../parts/named.tsx';
import { Back, Facts, Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SkeletonLines } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { orderSteps } from '../payments/story.ts';
import { Story } from '../payments/story.tsx';
import { useWords } from '../words/words.tsx';
import { Instruments, OrderBadge } from './badges.tsx';
import { LegBar, LegTable, useLegName } from './legs.tsx';
import { OrderSteps, type PublicOrder } from './order-steps.tsx';

/** One order: what pays it, what each took and gave back, what can be done, and everything that happened to it. */
export function OrderPage() {
  const { t, money } = useWords();
  const { payeeId } = useSession();
  const { orderId } = useParams({ from: '/gate/orders/$orderId' });
  const nameOf = useLegName();
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
  const { order, waiting, legs, timeline } = story.data;
  const partOf = ({ legId, amount }: OrderTransactionShown['parts'][number]) => {
    const leg = legs.find((one) => one.legId === legId);
    return `${leg === undefined ? '' : nameOf({ ...leg, name: leg.name.slice(-4) })}: ${money(amount, order.currency)}`;
  };
  return (
    <Page
      title={money(order.amount, order.currency)}
      beside={<OrderBadge {...order} />}
      back={back}
      actions={shown.data !== undefined && <OrderSteps story={story.data} shown={shown.data} />}
    >
      <div className="columns">
        <div className="stack">
          <ProblemNote error={shown.error} />
          <WaitingNote changes={waiting} />
          {legs.length > 0 && (
            <section className="stack-small">
              <h2>{t('whoPays')}</h2>
              <LegBar legs={legs} total={order.amount} />
              <LegTable order={order} legs={legs} />
            </section>
          )}
          <Story steps={orderSteps(story.data)} currency={order.currency} timeline={timeline} partOf={partOf} />
          {order.orderItems.length > 0 && <Items currency={order.currency} items={order.orderItems} />}
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
