import { write } from '../../kit/row-writes.ts';
import type { LedgerState } from '../../ledger/ledger.types.ts';
import {
  attemptAfter,
  attemptFor,
  type CardDecision,
  effectOf,
  lockedPayment,
  nothing,
} from '../changes/effects.rules.ts';
import type { FailOverCommand } from '../payment-commands.types.ts';
import { type CardTransaction, CHANGED_CARD_TRANSACTION, type LoadedPayment } from '../payments.types.ts';

/**
 * Decides on asking another acquirer, because the one before was not asked or has asked no issuer: the attempt before is
 * over with what is known of it, and the next one is stored before its acquirer is asked. Where the try waits no longer, or
 * for another attempt, it changes nothing.
 */
export function decideFailOver(state: LedgerState<LoadedPayment>, command: FailOverCommand): CardDecision {
  const { from, answer, attemptId, issuerId, dispatch } = command;
  const payment = lockedPayment(state);
  const { named } = payment;
  if (named?.state !== 'Initialized' || ![from, attemptId].includes(named.attemptId ?? '')) {
    return nothing({ kind: 'Done', payment, transaction: named ?? undefined });
  }
  if (named.attemptId === attemptId) return nothing({ kind: 'Call', payment, transaction: named });
  const transaction: CardTransaction = { ...named, attemptId, issuerId, updatedAt: state.now };
  const step = effectOf(state.now, {
    payment,
    transaction,
    changes: [
      write(CHANGED_CARD_TRANSACTION, { ...transaction, from: 'Initialized' }),
      attemptAfter(named, answer),
      attemptFor(transaction, { payment, dispatch, originalAttemptId: null, now: state.now }),
    ],
    action: 'fail-over-card-payment',
  });
  return { answer: () => ({ kind: 'Call', payment: step.payment, transaction }), effect: step.effect };
}
