import type { EventType, OwnEvent } from '../journal/journal.types.ts';
import { assert } from '../kit/assert.ts';
import type { Effect, LedgerState } from '../ledger/ledger.types.ts';
import type { OnceOnly } from '../payments/payment-commands.types.ts';
import { shownStatus } from './answers/order-state.rules.ts';
import { callbackOf } from './callback.rules.ts';
import type { OrderCommand, OrderOutcome } from './order-commands.types.ts';
import type {
  HistoryEntry,
  HistoryRow,
  OrderLeg,
  OrderTransaction,
  PaymentOrder,
  SplitTransaction,
} from './orders.types.ts';
import { remainingAt } from './split.rules.ts';

/** Something that others are told of an order. */
export interface OrderEvent {
  /** As in `payment-order.captured`. */
  readonly type: EventType;
  /** The transaction that it tells of; undefined where it is about the order alone. */
  readonly transaction: SplitTransaction | undefined;
}

/** An order as a change leaves it, with what belongs to it. */
interface OrderTold {
  readonly order: PaymentOrder;
  readonly legs: readonly OrderLeg[];
  /** With those that the change makes or ends. */
  readonly transactions: Parameters<typeof remainingAt>[0]['transactions'];
}

/**
 * An event about an order, its sequence being the order's: ids, numbers, states and amounts, as the order is shown at that
 * moment. A receiver reads the rest.
 */
export function eventOf({ order, legs, transactions }: OrderTold, event: OrderEvent): OwnEvent {
  const { orderId, number, operation, amount, currency, eventSequence, terms, updatedAt: now } = order;
  const { type, transaction } = event;
  const callback = callbackOf(order, transaction, legs);
  const remaining = remainingAt({ order, transactions, now });
  return {
    type,
    resourceId: orderId,
    resourceSequence: eventSequence,
    payload: {
      orderId,
      number,
      operation,
      status: shownStatus({ order, now }),
      amount,
      currency,
      orderReference: terms.payeeInfo.orderReference ?? null,
      transactionId: transaction?.transactionId ?? null,
      transactionNumber: transaction?.number ?? null,
      transactionAmount: transaction?.amount ?? null,
      transactionState: transaction?.state ?? null,
      remainingCaptureAmount: remaining.capture,
      remainingCancellationAmount: remaining.cancel,
      remainingReversalAmount: remaining.reversal,
      // A payload is flat: `<leg>:<amount>`, in the order of the legs.
      parts: transaction?.parts.map(({ legId, amount: part }) => `${legId}:${part}`).join(' ') ?? null,
    },
    ...(callback !== undefined && { callback }),
  };
}

/** An entry of the history of an order, at the place that the order counts. */
export function historyOf(
  { payeeId, orderId, historyCount, updatedAt }: PaymentOrder,
  entry: Pick<HistoryEntry, 'name' | 'initiatedBy'> & Partial<HistoryEntry>,
): HistoryRow {
  const blank = { instrument: null, number: null, amount: null, isPrefilled: null };
  return { payeeId, orderId, position: historyCount, createdAt: updatedAt, ...blank, ...entry };
}

/** What the command's reference stands for already; undefined where it was free. */
export function knownOrder(
  state: Pick<LedgerState<unknown>, 'taken'>,
  { commandId }: { readonly commandId: string },
): Extract<OrderOutcome, { kind: 'Known' }> | undefined {
  const { taken } = state;
  if (taken === undefined) return undefined;
  const { scope, objectId, transactionId } = taken;
  assert(scope === 'payment-order' || scope === 'payment-order-key', 'the reference of an order stands for one');
  return { kind: 'Known', orderId: objectId, transactionId, isOwn: taken.commandId === commandId };
}

/** The references that a command takes. */
export function referencesOfOrder(
  { payeeReference, idempotencyKey }: OnceOnly,
  {
    orderId,
    transactionId,
  }: Pick<OrderCommand, 'orderId'> & { readonly transactionId?: OrderTransaction['transactionId'] },
) {
  const stands = { objectId: orderId, transactionId: transactionId ?? null };
  const scopes = [
    ['payment-order', payeeReference],
    ['payment-order-key', idempotencyKey],
  ] as const;
  return scopes.flatMap(([scope, reference]) => (reference === undefined ? [] : [{ scope, reference, ...stands }]));
}

/** What an order makes of a change by itself. */
type OwnEffect = Required<Pick<Effect, 'action' | 'object' | 'ownEvents' | 'writes'>>;

/** One effect of several: of the order's it is about, and each of the others is in the audit trail by itself. */
export function mergeEffects(own: OwnEffect, others: readonly Effect[]): Effect {
  return {
    action: own.action,
    object: own.object,
    rows: others.flatMap(({ rows = [] }) => rows),
    movements: others.flatMap(({ movements = [] }) => movements),
    accountChanges: others.flatMap(({ accountChanges = [] }) => accountChanges),
    ownEvents: [...own.ownEvents, ...others.flatMap(({ ownEvents = [] }) => ownEvents)],
    writes: [...own.writes, ...others.flatMap(({ writes = [] }) => writes)],
    ownAudit: others.flatMap(({ ownAudit = [], object, action }) => {
      assert(object !== undefined, 'what is done beside says what it is done to');
      return [{ action, ...object }, ...ownAudit];
    }),
  };
}
