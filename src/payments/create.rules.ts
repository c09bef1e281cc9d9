import { inputError, Refusal } from '../kit/errors.ts';
import { addDays, addSeconds } from '../kit/instants.ts';
import { write } from '../kit/row-writes.ts';
import type { LedgerState } from '../ledger/ledger.types.ts';
import { requireNumber } from '../ledger/numbers.rules.ts';
import { type CardDecision, eventOf, knownReference, nothing, objectOf } from './changes/effects.rules.ts';
import type { CreateCommand } from './payment-commands.types.ts';
import { UNPAID } from './payment-state.rules.ts';
import { type CardPayment, NEW_CARD_PAYMENT } from './payments.types.ts';

/** Seconds that a card payment waits to be paid: 28 days. */
const CARD_PAYMENT_SECONDS = 28 * 24 * 60 * 60;

/**
 * Decides on a new payment. One that its reference or key has made already is answered first, whatever changed since.
 *
 * @throws Refusal `inputerror` where it begins a series that is over, `noacquirer`, and `unavailable` where no number is left
 */
export function decideCreation(state: LedgerState, command: CreateCommand): CardDecision {
  const known = knownReference(state, command);
  if (known !== undefined) return nothing(known);
  if (!command.hasAcquirer) throw noAcquirer(command);
  const { payeeId, paymentId, operation, intent, currency, payerReference, terms, payer } = command;
  // Banks refuse it. A day later it is still today somewhere.
  if (terms.recurring !== undefined && terms.recurring.until < addDays(state.now.slice(0, 10), -1)) {
    throw inputError('payment.recurring.until', 'must not be over');
  }
  const payment: CardPayment = {
    payeeId,
    paymentId,
    number: requireNumber(state.paymentNumber),
    operation,
    intent,
    state: 'Ready',
    currency,
    ...UNPAID,
    payerReference,
    terms,
    expiresAt: addSeconds(state.now, CARD_PAYMENT_SECONDS),
    createdAt: state.now,
    updatedAt: state.now,
    eventSequence: 1,
    version: 0,
    orderId: null,
    payerSealed: payer?.sealed ?? null,
    payerSealedWith: payer?.sealedWith ?? null,
  };
  return {
    answer: () => ({ kind: 'Done', payment, transaction: undefined }),
    effect: {
      writes: [write(NEW_CARD_PAYMENT, payment)],
      ownEvents: [eventOf(payment, { type: 'card-payment.created', transaction: undefined })],
      object: objectOf(payment, undefined),
      action: 'create-card-payment',
    },
  };
}

/** Refused before there is a page: a payer must not type a card number that cannot be charged. */
function noAcquirer({ currency }: CreateCommand): Refusal {
  const description = `No acquirer is agreed for ${currency}. The operator adds one.`;
  return new Refusal('noacquirer', description, { problems: [{ name: 'payment.currency', description }] });
}
