import { problemAfter } from '../../engine/leg.rules.ts';
import type { Answer } from '../../engine/leg.types.ts';
import { assert } from '../../kit/assert.ts';
import type { CardProblemCode } from '../../kit/cards/card-problems.ts';
import { write } from '../../kit/row-writes.ts';
import type { ShownCard } from '../cards/payment-cards.types.ts';
import { attemptAfter, type Step } from '../changes/effects.rules.ts';
import type { SealedTry } from '../payment-commands.types.ts';
import { isPaidByToken } from '../payment-state.rules.ts';
import { type CardPayment, type CardTransaction, CHANGED_CARD_TRANSACTION } from '../payments.types.ts';

// A soft decline: an issuer that wants the payer to authenticate before it says yes. And the same for another acquirer, where the
// one that the payer has authenticated for was not asked.

/**
 * Whether a try goes on with 3-D Secure where its issuer wants the payer to authenticate: once, and where a payer is
 * there.
 */
export function canStepUp(payment: CardPayment, { card }: CardTransaction): boolean {
  const { no3DSecure, orderedBy } = payment.terms.cards;
  const canAuthenticate = !isPaidByToken(payment) && no3DSecure !== true && orderedBy === undefined;
  return canAuthenticate && card !== null && !hasAuthenticated(card);
}

interface Trying {
  readonly payment: CardPayment;
  readonly transaction: CardTransaction;
  readonly now: string;
}

/**
 * The same try goes on when its payer has authenticated. It is no failed one. It has an attempt while it waits, which no
 * other that waits has: a challenge is wanted.
 */
export function steppedUp(
  { payment, transaction, now }: Trying,
  { sealed, answer }: { readonly sealed: SealedTry; readonly answer: Answer },
): Step & { readonly transaction: CardTransaction } {
  assert(!isPaidByToken(payment), 'a card is sealed only where its payer can authenticate');
  const card = transaction.card && withoutIndicator(transaction.card);
  const waiting: CardTransaction = {
    ...transaction,
    card,
    state: 'AwaitingActivity',
    instrumentId: sealed.instrumentId,
    issuerId: sealed.issuerId ?? transaction.issuerId,
    updatedAt: now,
  };
  return {
    payment: { ...payment, unsettled: payment.unsettled - 1 },
    transaction: waiting,
    changes: [write(CHANGED_CARD_TRANSACTION, { ...waiting, from: 'Initialized' }), attemptAfter(waiting, answer)],
    action: 'settle-card-payment',
  };
}

/** What was said of a payer before is no longer so: nothing is known until they have authenticated. */
function withoutIndicator(card: ShownCard): ShownCard {
  const { eci: _eci, liabilityShift: _shift, authenticationStatus: _status, ...others } = card;
  const {
    transStatusReason: _reason,
    dsTransactionId: _id,
    cvcResult: _cvc,
    addressResult: _address,
    ...shown
  } = others;
  return shown;
}

/** Where 3-D Secure was not possible, its issuer has not seen the payer. */
function hasAuthenticated(card: CardTransaction['card']): boolean {
  return card?.authenticationStatus === 'Y' || card?.authenticationStatus === 'A';
}

/** An issuer that wants a payer to authenticate who has done so declines. */
export function problemOf({ card }: CardTransaction, answer: Answer): CardProblemCode {
  return answer.outcome === 'AuthenticationRequired' && hasAuthenticated(card) ? 'carddeclined' : problemAfter(answer);
}
