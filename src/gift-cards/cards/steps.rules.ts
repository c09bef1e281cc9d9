import { PAYMENTS, type Payment, type PaymentTransaction } from '../../accounts/account-payments.types.ts';
import type { PaymentEcho, TransactionEcho } from '../../accounts/accounts.types.ts';
import { NO_STRIKES } from '../../accounts/identifying/strikes.rules.ts';
import { hasRoomFor } from '../../accounts/new-payment.rules.ts';
import { changePayment } from '../../accounts/payment-change.rules.ts';
import { afterStep } from '../../accounts/steps.rules.ts';
import { assert, unreachable } from '../../kit/assert.ts';
import { forbidden, notFound } from '../../kit/errors.ts';
import { amountMinor, LARGEST_AMOUNT_MINOR, ZERO_MINOR } from '../../kit/money.ts';
import { write } from '../../kit/row-writes.ts';
import type { Account, Effect, LedgerState } from '../../ledger/ledger.types.ts';
import { post, postMerge, postRestored, postSweep } from '../../ledger/postings.rules.ts';
import { NO_END, openCard } from '../bulk/issue.rules.ts';
import { type CardSituation, whyNotInto } from './life.rules.ts';
import {
  type Asked,
  type CardEnds,
  CHANGED_GIFT_CARD,
  type ChangeCardCommand,
  EXTENDED_GIFT_CARD,
  type LastDay,
  type LifeRow,
} from './life.types.ts';

/** What a step does beside being noted: money, the account, the card. */
export interface StepEffect {
  readonly effect: Omit<Effect, 'action'>;
  /** What others are told before of a payment. */
  readonly told?: Effect['ownEvents'];
  /** What changes of the card's own row. */
  readonly life?: Partial<CardEnds>;
  /** Minor units, for the event and the audit trail; absent where no money moves. */
  readonly amount?: number;
  /** The card's last day from now on, likewise. */
  readonly until?: string;
}

/** What a step starts from, with the account whole. */
export interface StepSituation extends CardSituation {
  readonly card: LifeRow;
  readonly account: Account;
  readonly state: LedgerState<LifeRow>;
  readonly command: ChangeCardCommand;
}

/**
 * What a step does, where nothing in the card's own state speaks against it.
 *
 * @throws Refusal `notfound` where the other card of a merge does not exist
 * @throws Refusal `forbidden` where that card cannot take the money, or more is on the first one than may be moved
 */
export function effectOf(situation: StepSituation, asked: Asked): StepEffect {
  if ('most' in asked && asked.most !== undefined && situation.account.available > asked.most) {
    throw forbidden(asked.step, 'More is on the card than when it was asked for. Ask for it again.');
  }
  switch (asked.step) {
    case 'Block':
      return block(situation);
    case 'Unblock':
      return unblock(situation);
    case 'Void':
      return voidCard(situation, asked);
    case 'Merge':
      return merge(situation, asked);
    case 'Replace':
      return replace(situation, asked);
    case 'Sweep':
      return sweep(situation);
    case 'Extend':
      return extend(situation, asked);
    case 'Restore':
      return restore(situation, asked);
    default:
      return unreachable(asked);
  }
}

function block({ account: { accountId }, now }: StepSituation): StepEffect {
  return { effect: { accountChanges: [{ accountId, blockedAt: now, blockedUntil: null }] } };
}

/** Of either block: the wrong codes that led to the one of a day are forgiven too. */
function unblock({ account: { accountId } }: StepSituation): StepEffect {
  const free = { blockedAt: null, blockedUntil: null, ...NO_STRIKES };
  return { effect: { accountChanges: [{ accountId, ...free }] } };
}

/** Ends a card that was not used. Its deposit goes back to where it came from, as the reversal that it is. */
function voidCard({ account, state, now }: StepSituation, asked: Extract<Asked, { step: 'Void' }>): StepEffect {
  const closed = { accountChanges: [{ accountId: account.accountId, closedAt: now }] };
  const life = { voidedAt: now };
  const deposit = account.entryCount === 0 ? undefined : state.row(PAYMENTS, asked.depositId);
  if (deposit === undefined) return { effect: closed, life };
  const amount = account.available;
  assert(deposit.captured === amount && deposit.reversed === 0, 'a fresh card has all of its deposit');
  const transaction = reversalOf(deposit, asked, now);
  const { payment, effect } = changePayment(now, {
    before: deposit,
    payment: afterStep(deposit, transaction),
    transaction,
    event: 'payment.reversed',
    account,
  });
  const { reversalId: transactionId } = asked;
  return {
    effect: {
      rows: effect.rows,
      ...closed,
      movements: post({ kind: 'Reversal', account, payment, amount, transactionId }),
    },
    told: effect.ownEvents,
    life,
    amount,
  };
}

/** The reversal of a deposit. Its reference is its own id: the request has one for the card. */
function reversalOf(
  { payeeId, paymentId, paymentOrderRef, captured, currency, echo }: Payment,
  { reversalId }: Extract<Asked, { step: 'Void' }>,
  now: string,
): PaymentTransaction {
  const { issuer } = echo as PaymentEcho;
  const own: TransactionEcho = { words: {}, circumstances: {}, currency, issuer, cancelRemainingAuth: false };
  return {
    payeeId,
    transactionId: reversalId,
    paymentId,
    operation: 'Reversal',
    state: 'OK',
    amount: captured,
    released: ZERO_MINOR,
    paymentOrderRef,
    paymentTransactionRef: reversalId,
    problem: null,
    echo: own,
    createdAt: now,
    updatedAt: now,
  };
}

/** Moves all that is on a card to another one, and ends it. The terms of the other card hold for the money from then on. */
function merge(situation: StepSituation, { into }: Extract<Asked, { step: 'Merge' }>): StepEffect {
  const { card, account, state, now } = situation;
  const target = state.account(into);
  if (card.intoSequence === null || target === undefined) throw notFound();
  const { available: amount, accountId, payeeId } = account;
  const reason = whyNotMerge({ ...situation, target });
  if (reason !== undefined) throw forbidden('Merge', reason);
  const eventSequence = card.intoSequence + 1;
  const received = {
    type: 'gift-card.received' as const,
    resourceId: into,
    resourceSequence: eventSequence,
    payload: { accountId: into, amount, currency: target.currency, from: accountId },
  };
  return {
    effect: {
      movements: postMerge(account, target, amount),
      accountChanges: [{ accountId, closedAt: now }],
      ownEvents: [received],
      writes: [
        write(CHANGED_GIFT_CARD, { payeeId, accountId: into, seen: card.intoSequence, ...NO_END, eventSequence }),
      ],
    },
    life: { mergedAt: now, mergedInto: into },
    amount,
  };
}

function whyNotMerge({ account, target, card, now }: StepSituation & { readonly target: Account }): string | undefined {
  if (target.accountId === account.accountId) return 'A card cannot be merged into itself.';
  if (target.currency !== account.currency) return 'The other card has another currency.';
  const into = { ...card, inactiveUntilSold: card.intoInactiveUntilSold === true };
  const reason = whyNotInto({ card: into, account: target, now });
  if (reason !== undefined) return reason;
  if (card.keepsLimits && hasFewerLimits({ card, account, target })) {
    return 'The other card has fewer limits, and the product of this one does not allow that.';
  }
  return hasRoomFor(target, account.available) ? undefined : 'The other card may not hold so much.';
}

/** Whether money could be used for more, or by more people, on the other card. The time that it has there is no such limit. */
function hasFewerLimits({
  card,
  account,
  target,
}: Pick<StepSituation, 'card' | 'account'> & { readonly target: Account }): boolean {
  const { allowedProductIds: allowed } = target;
  const buysMore =
    account.allowedProductIds.length > 0 &&
    (allowed.length === 0 || allowed.some((id) => !account.allowedProductIds.includes(id)));
  const holdsMore = (target.largestBalance ?? LARGEST_AMOUNT_MINOR) > (account.largestBalance ?? LARGEST_AMOUNT_MINOR);
  return buysMore || holdsMore || (account.cvcRequired && !target.cvcRequired) || card.intoHasOtherLimits;
}

/** Opens the new card, moves the money there, and ends the lost one. */
function replace({ account, now }: StepSituation, { draft }: Extract<Asked, { step: 'Replace' }>): StepEffect {
  const { available: amount, accountId } = account;
  const replacement = openCard(draft, { now, amount });
  return {
    effect: {
      ...replacement,
      movements: postMerge(account, draft.opening, amount),
      accountChanges: [{ accountId, closedAt: now }],
    },
    life: { replacedAt: now, replacedBy: draft.opening.accountId },
    amount,
  };
}

/** Books what is available to the payee. A card with open holds goes on until they end: what is released is swept later. */
function sweep({ account, now }: StepSituation): StepEffect {
  const { available: amount, accountId, held } = account;
  const movements = postSweep(account, amount);
  if (held > 0) return { effect: { movements }, amount };
  return { effect: { movements, accountChanges: [{ accountId, closedAt: now }] }, life: { sweptAt: now }, amount };
}

/** Gives a card more time. What is printed on it stays, and so does its code, which is derived from the printed day. */
function extend({ account, now }: StepSituation, { until, endsAt }: LastDay): StepEffect {
  const { payeeId, accountId, expiresAt } = account;
  if (expiresAt === null || endsAt <= expiresAt) throw forbidden('Extend', 'The card is good until then, or longer.');
  if (endsAt <= now) throw forbidden('Extend', 'That day is over.');
  return {
    effect: {
      accountChanges: [{ accountId, expiresAt: endsAt }],
      writes: [write(EXTENDED_GIFT_CARD, { payeeId, accountId, extendedTo: until })],
    },
    until,
  };
}

/** Takes a sweep back: the card is open again, has what was swept, and has time to spend it. */
function restore(
  { account, now }: StepSituation,
  { until, endsAt, swept }: Extract<Asked, { step: 'Restore' }>,
): StepEffect {
  const { payeeId, accountId } = account;
  if (endsAt <= now) throw forbidden('Restore', 'That day is over.');
  const amount = amountMinor(swept);
  return {
    effect: {
      movements: postRestored(account, amount),
      accountChanges: [{ accountId, closedAt: null, expiresAt: endsAt }],
      writes: [write(EXTENDED_GIFT_CARD, { payeeId, accountId, extendedTo: until })],
    },
    life: { sweptAt: null },
    amount,
    until,
  };
}
