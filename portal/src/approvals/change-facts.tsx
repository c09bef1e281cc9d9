import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ChangeObject, PendingChange } from '../../../client/portal.generated.ts';
import { useSession } from '../app/session.tsx';
import { Named } from '../parts/named.tsx';
import { Facts } from '../parts/page.tsx';
import { DIFFERENCES } from '../settlements/badges.tsx';
import { useWords, type WordKey } from '../words/words.tsx';

const KINDS = {
  payment: 'payment',
  order: 'order',
  'gift-card': 'giftCard',
  product: 'product',
  difference: 'difference',
  batch: 'settlementBatch',
  dispute: 'dispute',
} as const;

const isDifference = (name: string): name is keyof typeof DIFFERENCES => Object.hasOwn(DIFFERENCES, name);

/** What a change is about, as a link to it where this person may see it. */
export function ObjectLink({ object }: { readonly object: ChangeObject }) {
  const { t } = useWords();
  const { can } = useSession();
  const { kind, id, name, reference } = object;
  const text = `${t(KINDS[kind])} ${name ?? reference ?? id.slice(-8)}`;
  if (kind === 'payment' && can('getPaymentStory')) {
    return (
      <Link to="/payments/$paymentId" params={{ paymentId: id }}>
        {text}
      </Link>
    );
  }
  if (kind === 'order' && can('getOrderStory')) {
    return (
      <Link to="/orders/$orderId" params={{ orderId: id }}>
        {text}
      </Link>
    );
  }
  if (kind === 'gift-card' && can('getGiftCardStory')) {
    return (
      <Link to="/gift-cards/$accountId" params={{ accountId: id }}>
        {text}
      </Link>
    );
  }
  if (kind === 'difference' && can('listDifferences')) {
    return (
      <Link to="/settlements" search={{ tab: 'differences' }} title={name ?? undefined}>
        {name !== null && isDifference(name) ? t(DIFFERENCES[name]) : text}
      </Link>
    );
  }
  if (kind === 'dispute' && can('listDisputeSteps')) {
    return (
      <Link to="/disputes/$disputeId" params={{ disputeId: id }}>
        {text}
      </Link>
    );
  }
  if (kind === 'batch' && can('listPayouts')) {
    return (
      <Link to="/settlements" search={{ tab: 'payouts' }}>
        {text}
      </Link>
    );
  }
  return <span title={id}>{text}</span>;
}

const WAYS: Readonly<Record<string, WordKey>> = {
  AcquirersMistake: 'outcomeAcquirersMistake',
  WrittenOff: 'outcomeWrittenOff',
  PaidOtherwise: 'outcomePaidOtherwise',
  accept: 'disputeAccept',
  lose: 'disputeLose',
};

/** What is asked for, and in which of several ways. */
export function Asked({ operationId, way }: Pick<PendingChange, 'operationId' | 'way'>) {
  const { t } = useWords();
  const word = WAYS[way ?? ''];
  return (
    <>
      <Named group="operation" raw={operationId} />
      {way !== null && <span className="soft"> · {word === undefined ? way : t(word)}</span>}
    </>
  );
}

/** What stays of the object, or what is on the card, once the change is done. */
export function Afterwards({ change }: { readonly change: PendingChange }) {
  const { t, money } = useWords();
  const { object, afterwards, currency } = change;
  if (afterwards === null) return null;
  const isRefund = object?.kind === 'payment' || object?.kind === 'order';
  return (
    <div className="soft">
      {afterwards < 0
        ? t('noLongerPossible', { amount: money(object?.left ?? 0, currency) })
        : t(isRefund ? 'afterwards' : 'availableAfterwards', { amount: money(afterwards, currency) })}
    </div>
  );
}

/** What the person who decides has to know: what it is about, whose it is, why, and what stays afterwards. */
export function ChangeFacts({ change }: { readonly change: PendingChange }) {
  const { t, money } = useWords();
  const { object, into, cards, reason, afterwards, waitingBeside, currency, operationId, way } = change;
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('step'), <Asked key="s" operationId={operationId} way={way} />],
    [t('about'), object === null ? t('aboutUnknown') : <ObjectLink key="o" object={object} />],
    [t('movedTo'), into === null ? null : <ObjectLink key="i" object={into} />],
    [t('giftCards'), cards],
    [t('payer'), object?.payerReference ?? null],
    [t('reference'), object?.reference ?? null],
    [t('reason'), reason],
  ];
  return (
    <>
      <Facts facts={facts} />
      {afterwards !== null && (
        <div className="note" data-tone={afterwards < 0 ? 'bad' : undefined}>
          <Afterwards change={change} />
        </div>
      )}
      {waitingBeside > 0 && (
        <p className="note" data-tone="warn">
          {t('waitsBeside', { amount: money(waitingBeside, currency) })}
        </p>
      )}
    </>
  );
}
