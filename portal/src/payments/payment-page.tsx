import { Link, useParams } from '@tanstack/react-router';
import type { ListedPayment } from '../../../client/portal.generated.ts';
import { getPaymentStory } from '../api/operations.generated.ts';
import { useLinked, useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { WaitingNote, waitingAmount } from '../approvals/waiting-note.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Json } from '../parts/json.tsx';
import { Named } from '../parts/named.tsx';
import { Back, Facts, Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SkeletonLines } from '../parts/states.tsx';
import { useWords } from '../words/words.tsx';
import type { PublicPayment } from './follow-up.ts';
import { Operations } from './operations.tsx';
import { Remaining } from './remaining.tsx';
import { PaymentBadge } from './states.tsx';
import { paymentSteps } from './story.ts';
import { Story } from './story.tsx';

/** One payment: what it is, what is left of it, what can be done, and everything that happened to it. */
export function PaymentPage() {
  const { t } = useWords();
  const { payeeId } = useSession();
  const { paymentId } = useParams({ from: '/gate/payments/$paymentId' });
  const story = useRead(getPaymentStory, { payeeId, paymentId });
  const shown = useLinked<PublicPayment>(payeeId, story.data?.payment.address);
  const back = (
    <Link to="/payments" className="back">
      <Back>{t('payments')}</Back>
    </Link>
  );
  if (story.data === undefined) {
    return (
      <Page title={t('payment')} back={back}>
        <ProblemNote error={story.error} />
        {story.error === null && <SkeletonLines />}
      </Page>
    );
  }
  const { payment, waiting, transactions, timeline } = story.data;
  return (
    <PaymentShown
      payment={payment}
      back={back}
      actions={
        shown.data !== undefined && <Operations payment={payment} shown={shown.data} waiting={waitingAmount(waiting)} />
      }
    >
      <div className="columns">
        <div className="stack">
          <ProblemNote error={shown.error} />
          <section className="card">
            <h2>{t('remaining')}</h2>
            <Remaining payment={payment} />
          </section>
          <WaitingNote changes={waiting} />
          <Story
            steps={paymentSteps(payment, transactions, timeline)}
            currency={payment.currency}
            timeline={timeline}
          />
        </div>
        <div className="stack">
          <section className="card">
            <h2>{t('details')}</h2>
            <PaymentFacts payment={payment} />
          </section>
          {shown.data !== undefined && <Json value={shown.data} />}
        </div>
      </div>
    </PaymentShown>
  );
}

function PaymentShown(props: {
  readonly payment: ListedPayment;
  readonly back: React.ReactNode;
  readonly actions: React.ReactNode;
  readonly children: React.ReactNode;
}) {
  const { money } = useWords();
  const { payment, back, actions, children } = props;
  return (
    <Page
      title={money(payment.amount, payment.currency)}
      beside={<PaymentBadge state={payment.state} />}
      back={back}
      actions={actions}
    >
      {children}
    </Page>
  );
}

function PaymentFacts({ payment }: { readonly payment: ListedPayment }) {
  const { t, exact } = useWords();
  const copyable = (text: string | null) => text !== null && <Copyable text={text} />;
  return (
    <Facts
      facts={[
        [t('id'), <Copyable key="id" text={payment.paymentId} />],
        [t('number'), payment.number === null ? null : <Copyable key="n" text={String(payment.number)} />],
        [
          t('partOfOrder'),
          payment.orderId === null ? null : (
            <Link key="o" to="/orders/$orderId" params={{ orderId: payment.orderId }}>
              {payment.number ?? payment.orderReference ?? payment.orderId}
            </Link>
          ),
        ],
        [t('family'), t(payment.family)],
        [t('kind'), t(`kind${payment.kind}`)],
        [t('orderReference'), copyable(payment.orderReference) || null],
        [t('reference'), copyable(payment.reference) || null],
        [t('payer'), payment.payerReference],
        [t('instrument'), payment.masked],
        [t('problem'), payment.problem === null ? null : <Named key="p" group="problem" raw={payment.problem} />],
        [t('created'), exact(payment.createdAt)],
        [t('updated'), exact(payment.updatedAt)],
        [t('authorizedUntil'), payment.authorizedUntil === null ? null : exact(payment.authorizedUntil)],
      ]}
    />
  );
}
