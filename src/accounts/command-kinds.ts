import type { CardHistory } from '../engine/card-history/card-history.types.ts';
import { lockOfCard } from '../engine/locks.ts';
import type { CommandKind, PaymentId, TransactionId } from '../ledger/ledger.types.ts';
import { paymentIn } from '../ledger/references.rules.ts';
import { PAYMENTS, TRANSACTIONS } from './account-payments.types.ts';
import type {
  FailOverCommand,
  FollowUpCommand,
  LookUpCommand,
  NewPaymentCommand,
  NoteFailureCommand,
  PaymentResult,
  SettleAttemptCommand,
  SettledAttempt,
  TransactionResult,
} from './accounts.types.ts';
import { loadCardHistories } from './card-limits.store.ts';
import { decideFailOver } from './fail-over.rules.ts';
import { decideFollowUp } from './follow-up.rules.ts';
import { failure } from './identifying/strikes.rules.ts';
import { decideNewPayment } from './new-payment.rules.ts';
import { decideCharge, decideSettlement } from './settlement.rules.ts';
import { rowsOfTurnovers } from './turnover/turnover.rules.ts';
import type { LimitReached } from './turnover/turnover.types.ts';

/** Authorize, purchase, deposit, credit. */
export const NEW_PAYMENT: CommandKind<NewPaymentCommand, PaymentResult | LimitReached, CardHistory> = {
  name: 'new-payment',
  keys: ({ accountId, paymentId, paymentTransactionRef, turnovers }) => ({
    accountIds: [accountId],
    ...(turnovers.length > 0 && { rows: rowsOfTurnovers(turnovers) }),
    references: [{ scope: 'payment', reference: paymentTransactionRef, objectId: paymentId, transactionId: null }],
  }),
  decide: decideNewPayment,
};

/** The same where an acquirer is to charge a card: one at a time of each card, so that none sees fewer declines than there are. */
export const CHARGE_CARD: typeof NEW_PAYMENT = {
  ...NEW_PAYMENT,
  name: 'charge-card',
  keys: (command) => ({
    ...NEW_PAYMENT.keys(command),
    locks: command.charged === undefined ? [] : [lockOfCard(command.charged.cardDigest)],
  }),
  load: loadCardHistories,
};

/** Capture, cancel, reversal. */
export const FOLLOW_UP: CommandKind<FollowUpCommand, TransactionResult> = {
  name: 'follow-up-payment',
  keys: ({ accountId, paymentId, transactionId, paymentTransactionRef }) => ({
    accountIds: [accountId],
    rows: [{ shelf: PAYMENTS, id: paymentId }],
    references: [{ scope: 'payment', reference: paymentTransactionRef, objectId: paymentId, transactionId }],
  }),
  decide: decideFollowUp,
};

/** Another acquirer for a payment, because the one before was not asked. */
export const FAIL_OVER: CommandKind<FailOverCommand, PaymentResult> = {
  name: 'fail-over-payment',
  keys: ({ accountId, paymentId }) => ({
    accountIds: [accountId],
    rows: [{ shelf: PAYMENTS, id: paymentId }],
    references: [],
  }),
  decide: decideFailOver,
};

/** What an external issuer answered. */
export const SETTLE_ATTEMPT: CommandKind<SettleAttemptCommand, SettledAttempt, CardHistory> = {
  name: 'settle-attempt',
  keys: ({ accountId, paymentId, transactionId }) => ({
    accountIds: [accountId],
    rows: [
      { shelf: PAYMENTS, id: paymentId },
      ...(transactionId === null ? [] : [{ shelf: TRANSACTIONS, id: transactionId }]),
    ],
    references: [],
  }),
  decide: decideSettlement,
};

/** The same of the charge of a card: what the issuer said of it counts for later ones. */
export const SETTLE_CHARGE: typeof SETTLE_ATTEMPT = {
  ...SETTLE_ATTEMPT,
  name: 'settle-charge',
  load: loadCardHistories,
  decide: decideCharge,
};

/** A look-up by number that finds nothing, outside of a payment. */
export const NOTE_FAILURE: CommandKind<NoteFailureCommand, undefined> = {
  name: 'note-failed-look-up',
  keys: ({ accountId }) => ({ accountIds: accountId === undefined ? [] : [accountId], references: [] }),
  decide: (state, command) => {
    const account = command.accountId && state.account(command.accountId);
    return { answer: () => undefined, effect: failure(command, account, state.now) };
  },
};

/**
 * What a reference stands for. It takes the reference and gives it back at once, and so waits for a command that is
 * taking it at this moment: a plain read could call a request unseen that is about to be carried out.
 */
export const LOOK_UP: CommandKind<LookUpCommand, FoundReference | undefined> = {
  name: 'look-up-reference',
  keys: ({ reference, unusedId }) => ({
    accountIds: [],
    references: [{ scope: 'payment', reference, objectId: unusedId, transactionId: null }],
  }),
  decide: ({ taken }) => ({
    answer: () => {
      if (taken === undefined) return undefined;
      return { paymentId: paymentIn(taken), transactionId: taken.transactionId };
    },
  }),
};

/** What stands under a reference. */
export interface FoundReference {
  readonly paymentId: PaymentId;
  readonly transactionId: TransactionId | null;
}
