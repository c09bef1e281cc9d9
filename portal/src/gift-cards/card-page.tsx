import { Link, useParams } from '@tanstack/react-router';
import type { GiftCardAnswer } from '../../../client/kontor.generated.ts';
import type { ListedGiftCard } from '../../../client/portal.generated.ts';
import type { AnswerOf } from '../api/endpoints.types.ts';
import { getGiftCardStory } from '../api/operations.generated.ts';
import { useLinked, useRead } from '../api/queries.ts';
import { useSession } from '../app/session.tsx';
import { WaitingNote } from '../approvals/waiting-note.tsx';
import { EntryTable } from '../ledger/entry-table.tsx';
import { Actor } from '../parts/actor.tsx';
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
          <CardHistory history={steps} />
        </div>
        <div className="stack">
          <CardFacts card={giftCard} isImported={steps.some(({ step }) => step === 'Import')} />
          {shown.data !== undefined && <Json value={shown.data} />}
        </div>
      </div>
    </Page>
  );
}

function CardFacts({ card, isImported }: { readonly card: ListedGiftCard; readonly isImported: boolean }) {
  const { t, money, day, exact, named } = useWords();
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
          [isImported ? named('step', 'Import') : t('issued'), exact(card.issuedAt)],
          [t('cardBlocked'), card.blockedAt === null ? null : exact(card.blockedAt)],
          [t('ended'), card.endedAt === null ? null : exact(card.endedAt)],
          [t('id'), <Copyable key="i" text={card.accountId} />],
        ]}
      />
    </section>
  );
}

type History = AnswerOf<typeof getGiftCardStory>['steps'];

/** How the card began, what was done to it and by whom, and which cards it stands for. */
function CardHistory({ history }: { readonly history: History }) {
  const { t, money } = useWords();
  return (
    <section className="stack-small">
      <h2>{t('history')}</h2>
      <Table
        label={t('history')}
        rows={history}
        rowKey={({ at, step, reference, otherAccountId }) => `${at} ${step} ${reference} ${otherAccountId}`}
        empty={null}
        columns={[
          { title: t('step'), cell: (entry) => <Step entry={entry} /> },
          {
            title: t('amount'),
            align: 'end',
            cell: ({ amount, currency }) => amount !== null && currency !== null && money(amount, currency),
          },
          {
            title: t('who'),
            cell: ({ actor, actorName }) => actor !== null && <Actor actor={actor} name={actorName} />,
          },
          { title: t('details'), cell: (entry) => <Details entry={entry} /> },
          // Not at the end, where it could not break: the table stands beside the card's facts.
          { title: t('time'), cell: ({ at }) => <Time at={at} /> },
        ]}
      />
    </section>
  );
}

/** A step, with the other card of it, and the last day that it gave. */
function Step({ entry: { step, otherAccountId, otherMasked, until } }: { readonly entry: History[number] }) {
  const { day } = useWords();
  return (
    <span className="stack-tight">
      <strong>
        <Named group="step" raw={step} />
      </strong>
      {otherAccountId !== null && (
        <Link to="/gift-cards/$accountId" params={{ accountId: otherAccountId }}>
          {otherMasked}
        </Link>
      )}
      {until !== null && <span className="soft">{day(until)}</span>}
    </span>
  );
}

/** Why, by which file, and the reference by which the audit trail of who asked for it has it. */
function Details({ entry: { reason, file, digest, reference } }: { readonly entry: History[number] }) {
  const { t } = useWords();
  if (reason === null && file === null && reference === null) return null;
  return (
    <span className="stack-tight">
      {reason !== null && <span>{reason}</span>}
      {file !== null && (
        <span className="reference">
          {t('file')}: {file}
        </span>
      )}
      {digest !== null && <Copyable text={digest} shown={`SHA-256 ${digest.slice(0, 12)}…`} />}
      {reference !== null && (
        <span className="soft reference">
          {t('reference')}: <span className="mono">{reference}</span>
        </span>
      )}
    </span>
  );
}
