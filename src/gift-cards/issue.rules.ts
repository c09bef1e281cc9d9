import { assert } from '../kit/assert.ts';
import { type AmountMinor, ZERO_MINOR } from '../kit/money.ts';
import type { Account, AccountOpening, Effect, MovementDraft, Payment } from '../ledger/ledger.types.ts';
import { post } from '../ledger/postings.rules.ts';
import type { CardChange, CardDraft, Deposit, GiftCard } from './gift-cards.types.ts';

/**
 * Issues a card: its account, its row, and the deposit that it begins with, all in one effect. For every way to issue one
 * where the draft's number is free and its key is the current one.
 *
 * @param now the time of the batch
 */
export function issueCard({
  draft,
  deposit,
  now,
}: {
  readonly draft: CardDraft;
  readonly deposit: Deposit;
  readonly now: string;
}): Effect<CardChange> {
  return {
    ...depositOn(draft.opening, deposit, now),
    ...openCard(draft, { amount: deposit.amount, now }),
    action: 'issue-gift-card',
  };
}

/** Opens a card: its account, its row, its event. Its money comes by a movement of the same effect. */
export function openCard(
  { productId, opening, sealed }: CardDraft,
  { amount, now }: { readonly amount: AmountMinor; readonly now: string },
): Required<Pick<Effect<CardChange>, 'opened' | 'extras' | 'ownEvents'>> {
  const { accountId } = opening;
  const card: GiftCard = { ...sealed, productId, issuedAt: now, ...NO_END, eventSequence: 1 };
  return {
    opened: [opening],
    extras: [{ kind: 'New', card }],
    ownEvents: [
      {
        type: 'gift-card.issued',
        resourceKind: 'gift-card',
        resourceId: accountId,
        resourceSequence: card.eventSequence,
        payload: { accountId, productId, amount },
      },
    ],
  };
}

/** The ends that a new card has not had. */
export const NO_END = {
  voidedAt: null,
  mergedAt: null,
  mergedInto: null,
  replacedAt: null,
  replacedBy: null,
  sweptAt: null,
};

/** A deposit on a card: its payment, its number, and the money that moves. */
export function depositOn(
  account: AccountOpening | Account,
  deposit: Deposit,
  now: string,
): Pick<Effect, 'payment' | 'paymentNumber' | 'movements' | 'event'> & {
  readonly movements: readonly MovementDraft[];
} {
  const { payeeId, accountId, kind, currency } = account;
  assert(currency !== null && kind === 'StoredValue', 'a gift card holds money of one currency');
  const { amount, ...words } = deposit;
  const payment: Payment = {
    ...words,
    payeeId,
    accountId,
    operation: 'Deposit',
    state: 'OK',
    amount,
    currency,
    captured: amount,
    cancelled: ZERO_MINOR,
    reversed: ZERO_MINOR,
    reservedHold: ZERO_MINOR,
    reservedReversal: ZERO_MINOR,
    holdExpiresAt: null,
    problem: null,
    createdAt: now,
    updatedAt: now,
    eventSequence: 0,
  };
  return {
    payment,
    paymentNumber: deposit.echo.paymentNumber,
    movements: post({ kind: 'Deposit', account, payment, amount }),
    ...(amount > 0 && { event: 'payment.deposited' }),
  };
}
