import { newAttempt, settledAttempt } from '../../engine/leg.rules.ts';
import type { Answer } from '../../engine/leg.types.ts';
import type { AcquirerOperation } from '../../issuers/acquirers/acquirers.types.ts';
import type { Dispatch } from '../../issuers/issuers.types.ts';
import type { AttemptId, IssuerOperation } from '../../issuers/questions.types.ts';
import type { AuditAction, EventType, OwnEvent } from '../../journal/journal.types.ts';
import { assert } from '../../kit/assert.ts';
import { type RowWrite, rowsBy, write } from '../../kit/row-writes.ts';
import type {
  Decision,
  Effect,
  LedgerState,
  MovementDraft,
  TakenReference,
  TransactionOperation,
} from '../../ledger/ledger.types.ts';
import { post } from '../../ledger/postings.rules.ts';
import { paymentIn } from '../../ledger/references.rules.ts';
import { createdAudit, createdEvent } from '../../tokens/stored/made-tokens.rules.ts';
import { NEW_TOKEN } from '../../tokens/stored/make-tokens.types.ts';
import { callbackOf } from '../callback.rules.ts';
import type { ChangeCommand, OnceOnly, Outcome } from '../payment-commands.types.ts';
import { shownState } from '../payment-state.rules.ts';
import {
  type CardPayment,
  type CardTransaction,
  CHANGED_CARD_PAYMENT,
  type FollowUpType,
  type LoadedPayment,
  type TransactionType,
} from '../payments.types.ts';

/** What a rule of this slice answers. */
export type CardDecision = Decision<Outcome>;

/** Something that others are told of a payment. */
export interface StepEvent {
  /** As in `card-payment.captured`. */
  readonly type: EventType;
  /** The transaction that it tells of; undefined where it is about the payment alone. */
  readonly transaction: CardTransaction | undefined;
}

/** A change of a payment, and what goes with it. */
export interface Step {
  readonly payment: CardPayment;
  /** The transaction that it makes or changes. */
  readonly transaction?: CardTransaction;
  readonly changes: readonly RowWrite[];
  readonly movements?: readonly MovementDraft[];
  /** The events that tell other programs of it, in this order; absent for a step that has none. */
  readonly events?: readonly StepEvent[];
  /** The verb for the audit trail. */
  readonly action: AuditAction;
}

/** The effect of a step on a payment that is there, with its events and its place in the audit trail. */
export function effectOf(now: string, step: Step): { readonly payment: CardPayment; readonly effect: Effect } {
  const { events = [], changes, action, transaction, movements = [] } = step;
  const payment: CardPayment = {
    ...step.payment,
    authorizedUntil: isHeld(step.payment) ? step.payment.authorizedUntil : null,
    updatedAt: now,
    eventSequence: step.payment.eventSequence + events.length,
    version: step.payment.version + 1,
  };
  const made = rowsBy(NEW_TOKEN, changes);
  return {
    payment,
    effect: {
      movements,
      writes: [write(CHANGED_CARD_PAYMENT, payment), ...changes],
      ownEvents: [
        ...events.map((event, index) =>
          eventOf({ ...payment, eventSequence: step.payment.eventSequence + index + 1 }, event),
        ),
        ...made.map(createdEvent),
      ],
      object: objectOf(payment, transaction),
      ownAudit: made.map(createdAudit),
      action,
    },
  };
}

function isHeld({ amount, captured, cancelled }: CardPayment): boolean {
  return captured + cancelled < amount;
}

/** An event about a payment: ids, numbers, states and amounts, as it is shown at that moment. A receiver reads the rest. */
export function eventOf(payment: CardPayment, event: StepEvent): OwnEvent {
  const { paymentId, number, operation, amount, currency, eventSequence, orderId, updatedAt } = payment;
  const { type, transaction } = event;
  const callback = callbackOf(payment, event);
  return {
    type,
    resourceId: paymentId,
    resourceSequence: eventSequence,
    payload: {
      paymentId,
      number,
      operation,
      state: shownState(payment, updatedAt),
      amount,
      currency,
      transactionId: transaction?.transactionId ?? null,
      transactionNumber: transaction?.number ?? null,
      transactionAmount: transaction?.amount ?? null,
      transactionState: transaction?.state ?? null,
      ...(orderId !== null && { orderId }),
    },
    ...(callback !== undefined && { callback }),
  };
}

/** What the audit trail says of a change. */
export function objectOf(payment: CardPayment, transaction: CardTransaction | undefined) {
  const { state, amount } = transaction ?? payment;
  const details = { state, amount, ...(transaction && { transactionId: transaction.transactionId }) };
  return { objectId: payment.paymentId, details };
}

/** What the command's reference stands for already; undefined where it was free. */
export function knownReference({ taken }: LedgerState<unknown>, command: { readonly commandId: string }) {
  return knownBy(taken, command);
}

/** The same of one of its references. */
export function knownBy(taken: TakenReference | undefined, { commandId }: { readonly commandId: string }) {
  if (taken === undefined) return undefined;
  const { transactionId } = taken;
  const isOwn = taken.commandId === commandId;
  return { kind: 'Known', paymentId: paymentIn(taken), transactionId, isOwn } as const;
}

/** The payment of a command, locked. It was there when the command was made, and payments do not go. */
export function lockedPayment(state: LedgerState<LoadedPayment>): LoadedPayment {
  const [payment] = state.rows;
  assert(payment !== undefined, 'a command is about a payment that exists');
  return payment;
}

/** A decision without an effect. */
export function nothing(outcome: Outcome): CardDecision {
  return { answer: () => outcome };
}

/** The references that a command takes. */
export function referencesOf(
  { payeeReference, idempotencyKey }: OnceOnly,
  { paymentId, transactionId }: Pick<ChangeCommand, 'paymentId' | 'transactionId'>,
) {
  const stands = { objectId: paymentId, transactionId: transactionId ?? null };
  return [
    ...(payeeReference === undefined ? [] : [{ scope: 'card-payment' as const, reference: payeeReference, ...stands }]),
    ...(idempotencyKey === undefined
      ? []
      : [{ scope: 'card-payment-key' as const, reference: idempotencyKey, ...stands }]),
  ];
}

/** What an attempt is put with, beside its transaction. */
export interface AttemptDetails {
  readonly payment: Pick<CardPayment, 'operation' | 'currency' | 'intent'>;
  readonly dispatch: Dispatch | undefined;
  /** The attempt that made the payment; null for that itself. */
  readonly originalAttemptId: AttemptId | null;
  readonly now: string;
}

/** The attempt of a transaction that waits for its issuer. */
export function attemptFor(
  transaction: CardTransaction,
  { payment, dispatch, originalAttemptId, now }: AttemptDetails,
): RowWrite {
  const { payeeId, paymentId, transactionId, attemptId, issuerId, type, amount } = transaction;
  assert(
    attemptId !== null && issuerId !== null && dispatch !== undefined,
    'an attempt is named, and made at an issuer',
  );
  const asked = { operation: askedFor(type, payment), amount, currency: payment.currency, originalAttemptId };
  return newAttempt(
    { payeeId, paymentId, transactionId, attemptId, issuerId, accountId: null, dispatch, ...asked },
    now,
  );
}

function askedFor(type: TransactionType, payment: AttemptDetails['payment']): AcquirerOperation {
  return type === 'Authorization' || type === 'Verification' ? operationOfTry(payment) : STEPS[type];
}

/** What becomes of the attempt of a transaction with its issuer's answer. */
export function attemptAfter({ payeeId, attemptId }: CardTransaction, answer: Answer, from?: 'FORWARDING'): RowWrite {
  assert(attemptId !== null, 'a transaction that waits for its issuer has an attempt');
  return settledAttempt({ payeeId, attemptId }, answer, from);
}

/** What an issuer is asked for by a try. */
export function operationOfTry({ operation, intent }: AttemptDetails['payment']): IssuerOperation {
  if (operation === 'Verify') return 'Verify';
  return intent === 'AutoCapture' ? 'Purchase' : 'Authorize';
}

/** The money that a capture or reversal moves between the issuer and the payee; a cancellation moves none. */
export function postedFor({ currency }: CardPayment, transaction: CardTransaction): MovementDraft[] {
  const { type, amount, paymentId, transactionId } = transaction;
  return post({
    kind: STEPS[type as FollowUpType],
    account: { kind: 'External', accountId: null },
    payment: { paymentId, currency, operation: 'Authorize' },
    amount,
    transactionId,
  });
}

/** What an issuer calls what follows a payment. */
export const STEPS = {
  Capture: 'Capture',
  Cancellation: 'Cancel',
  Reversal: 'Reversal',
} as const satisfies Readonly<Record<FollowUpType, TransactionOperation>>;
