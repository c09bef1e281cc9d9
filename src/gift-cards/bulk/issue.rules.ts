import type { Payment } from '../../accounts/account-payments.types.ts';
import { changePayment } from '../../accounts/payment-change.rules.ts';
import { approved } from '../../engine/leg.rules.ts';
import type { EventType } from '../../journal/journal.types.ts';
import { assert } from '../../kit/assert.ts';
import { filedAs } from '../../kit/imports/filed-as.ts';
import type { FileStamp } from '../../kit/imports/import.types.ts';
import { type AmountMinor, ZERO_MINOR } from '../../kit/money.ts';
import { write } from '../../kit/row-writes.ts';
import type { Account, AccountOpening, Effect, PaymentId } from '../../ledger/ledger.types.ts';
import { post } from '../../ledger/postings.rules.ts';
import { type CardDraft, type Deposit, type GiftCard, NEW_GIFT_CARD } from '../gift-cards.types.ts';

/**
 * Issues a card: its account, its row, and the deposit that it begins with, all in one effect. For every way to issue one
 * where the draft's number is free and its key is the current one.
 *
 * It is one thing that happened, so it leaves one audit row, of the deposit, and one event, of the card.
 *
 * @param now the time of the batch
 */
export function issueCard({
  draft,
  deposit,
  now,
  event = 'gift-card.issued',
  orderRef,
  isInactive,
  file,
}: {
  readonly draft: CardDraft;
  readonly deposit: Deposit;
  readonly now: string;
  /** What others are told of the card. */
  readonly event?: 'gift-card.issued' | 'gift-card.imported';
  /** The sale, where it was named. */
  readonly orderRef?: string | undefined;
  /** Whether it is to be sold later. */
  readonly isInactive?: boolean;
  /** The file that it came with. */
  readonly file?: FileStamp | undefined;
}): { readonly payment: Payment; readonly effect: Effect } {
  const { accountId, numberMasked } = draft.opening;
  const { amount, paymentId } = deposit;
  const { payment, effect } = depositOn({ ...draft.opening, nextHoldExpiresAt: null }, { deposit, now });
  return {
    payment,
    effect: {
      ...effect,
      ...openCard(draft, { amount, paymentId, now, event, orderRef, isInactive }),
      accountId,
      action: 'issue-gift-card',
      object: {
        objectId: paymentId,
        details: { accountId, numberMasked, amount, currency: draft.opening.currency ?? '', ...filedAs(file) },
      },
    },
  };
}

/** What a card begins with. */
interface Beginning {
  readonly amount: AmountMinor;
  /** Of its deposit; absent where the money comes from another card. */
  readonly paymentId?: PaymentId;
  readonly now: string;
  readonly event?: 'gift-card.issued' | 'gift-card.imported';
  readonly orderRef?: string | undefined;
  readonly isInactive?: boolean | undefined;
}

/** Opens a card: its account, its row, its event. Its money comes by a movement of the same effect. */
export function openCard(
  { productId, opening, sealed, payerReference }: CardDraft,
  { amount, paymentId, now, event = 'gift-card.issued', orderRef, isInactive = false }: Beginning,
): Required<Pick<Effect, 'opened' | 'writes' | 'ownEvents'>> {
  const { accountId } = opening;
  const card: GiftCard = {
    ...sealed,
    productId,
    issuedAt: now,
    inactiveUntilSold: isInactive,
    payerReference,
    ...NO_END,
    extendedTo: null,
    eventSequence: 1,
  };
  return {
    opened: [opening],
    writes: [write(NEW_GIFT_CARD, card)],
    ownEvents: [
      {
        type: event,
        resourceId: accountId,
        resourceSequence: card.eventSequence,
        payload: {
          accountId,
          productId,
          amount,
          ...(opening.currency && { currency: opening.currency }),
          ...(paymentId && { paymentId }),
          ...(orderRef && { orderRef }),
          ...(isInactive && { isInactive }),
        },
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
  account: (AccountOpening | Account) & Pick<Account, 'nextHoldExpiresAt'>,
  { deposit, now, event }: { readonly deposit: Deposit; readonly now: string; readonly event?: EventType },
) {
  const { payeeId, accountId, kind, currency } = account;
  assert(currency !== null && kind === 'StoredValue', 'a gift card holds money of one currency');
  const { paymentId, amount, paymentOrderRef, paymentTransactionRef, echo } = deposit;
  const fresh: Payment = {
    payeeId,
    paymentId,
    accountId,
    operation: 'Deposit',
    state: 'OK',
    ...approved(amount, { isCaptured: true }),
    disputed: ZERO_MINOR,
    currency,
    holdExpiresAt: null,
    paymentOrderRef,
    paymentTransactionRef,
    problem: null,
    echo,
    createdAt: now,
    updatedAt: now,
    eventSequence: 0,
    orderId: null,
  };
  const { payment, effect, object } = changePayment(now, {
    before: undefined,
    payment: fresh,
    account,
    ...(event && { event }),
  });
  const numbered = { paymentId, number: echo.paymentNumber };
  const movements = post({ kind: 'Deposit', account, payment, amount });
  return { payment, object, effect: { ...effect, numbered, movements } };
}
