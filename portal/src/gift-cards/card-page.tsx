import { Link, useParams } from '@tanstack/react-router';
import type { GiftCardAnswer } from '../../../client/kontor.generated.ts';
import type { ListedGiftCard } from '../../../client/portal.generated.ts';
import type { AnswerOf } from '../api/endpoints.types.ts';
import { getGiftCardStory } from '../api/operations.generated.ts';
import { useLinked, useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { WaitingNote } from '../approvals/waiting-note.tsx';
import { EntryTable } from '../ledger/entry-table.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Json } from '../parts/json.tsx';
import { Named } from '../parts/named.tsx';
import { Back, Facts, Page } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { SkeletonLines } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useWords } from '../words/words.tsx';
import { CardBadge } from './card-badge.tsx';
import { CardSteps } from './card-steps.tsx';

/** One gift card: what is on it, what can be done, what happened. */
export function GiftCardPage() {
  const { t } = useWords();
  const { payeeId } = useSession();
  const { accountId } = useParams({ from: '/gate/gift-cards/$accountId' });
  const { data, error } = useRead(getGiftCardStory, { payeeId, accountId });
  const shown = useLinked<GiftCardAnswer>(payeeId, data?.giftCard.address);
  const back = (
    <Link to="/gift-cards" className="back">
      <Back>{t('giftCards')}</Back>
    </Link>
  );
  if (data === undefined) {
    return (
      <Page title={t('giftCard')} back={back}>
        {error === null ? <SkeletonLines /> : <ProblemNote error={error} />}
      </Page>
    );
  }
  const { giftCard, waiting, steps, entries } = data;
  return (
    <Page
      title={giftCard.masked}
      beside={<CardBadge state={giftCard.state} />}
      back={back}
      actions={shown.data !== undefined && <CardSteps card={giftCard} shown={shown.data} />}
    >
      <div className="columns">
        <div className="stack">
          <ProblemNote error={shown.error} />
          <WaitingNote changes={waiting} />
          <section className="stack-small">
            <h2>{t('entries')}</h2>
            <EntryTable entries={entries} />
          </section>
          <Steps steps={steps} />
        </div>
        <div className="stack">
          <CardFacts card={giftCard} />
          {shown.data !== undefined && <Json value={shown.data} />}
        </div>
      </div>
    </Page>
  );
}

function CardFacts({ card }: { readonly card: ListedGiftCard }) {
  const { t, money, day, exact } = useWords();
  return (
    <section className="card stack-small">
      <div className="tile">
        <span className="soft">{t('available')}</span>
        <span className="tile-value">{money(card.available, card.currency)}</span>
      </div>
      <Facts
        facts={[
          [
            t('held'),
            <span key="h" className="number">
              {money(card.held, card.currency)}
            </span>,
          ],
          [t('product'), card.productName],
          [t('expires'), card.expiresOn === null ? null : day(card.expiresOn)],
          [t('issued'), exact(card.issuedAt)],
          [t('cardBlocked'), card.blockedAt === null ? null : exact(card.blockedAt)],
          [t('ended'), card.endedAt === null ? null : exact(card.endedAt)],
          [t('id'), <Copyable key="i" text={card.accountId} />],
        ]}
      />
    </section>
  );
}

function Steps({ steps }: Pick<AnswerOf<typeof getGiftCardStory>, 'steps'>) {
  const { t } = useWords();
  if (steps.length === 0) return null;
  return (
    <section className="stack-small">
      <h2>{t('steps')}</h2>
      <Table
        label={t('steps')}
        rows={steps}
        rowKey={({ reference }) => reference}
        empty={null}
        columns={[
          {
            title: t('step'),
            cell: ({ step }) => (
              <strong>
                <Named group="step" raw={step} />
              </strong>
            ),
          },
          { title: t('reason'), cell: ({ reason }) => reason },
          { title: t('reference'), cell: ({ reference }) => <span className="mono">{reference}</span> },
          { title: t('time'), align: 'end', cell: ({ at }) => <Time at={at} /> },
        ]}
      />
    </section>
  );
}
