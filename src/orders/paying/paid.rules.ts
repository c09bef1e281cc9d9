import { assert } from '../../kit/assert.ts';
import { addSeconds } from '../../kit/instants.ts';
import { type AmountMinor, ZERO_MINOR } from '../../kit/money.ts';
import type { TransactionId } from '../../ledger/ledger.types.ts';
import type { ChangeOrderCommand } from '../order-commands.types.ts';
import { newTransactionId, type OrderWork } from '../order-work.rules.ts';
import type { LegId, OrderPart } from '../orders.types.ts';
import { giftCardsOf } from './hold.rules.ts';

/** What pays an order in the end. */
export interface Payment {
  /** Of the authorization of all of it: the card's own, where a card pays a part. */
  readonly transactionId: TransactionId;
  readonly number: number;
  readonly card: CardPart | undefined;
}

/** The part of the card. */
export interface CardPart {
  readonly amount: AmountMinor;
  /** The masked number. */
  readonly name: string;
  readonly holdSeconds: number;
}

/** All of the amount is authorized: holds become authorizations, and, where that was asked for, all is captured at once. */
export function payOrder(
  work: OrderWork,
  { settings }: Pick<ChangeOrderCommand, 'settings'>,
  { transactionId, number, card }: Payment,
): void {
  const { intent, operation, amount, vatAmount, terms, paidBy } = work.order;
  assert(paidBy === null, 'an order is paid once');
  for (const leg of giftCardsOf(work)) if (leg.state !== 'Held') work.drop(leg);
  const held = giftCardsOf(work);
  const isSale = intent === 'AutoCapture';
  const untils = [
    ...(held.length > 0 ? [addSeconds(work.now, settings.orderHoldDays * 24 * 60 * 60)] : []),
    ...(card === undefined ? [] : [addSeconds(work.now, card.holdSeconds)]),
  ];
  const until = untils.toSorted()[0] ?? work.now;
  const parts: OrderPart[] = held.map((leg) => ({
    legId: leg.legId,
    amount: leg.amount,
    released: ZERO_MINOR,
    ownId: leg.paymentId ?? leg.legId,
  }));
  for (const leg of held) {
    work.authorize(leg, until);
    if (!isSale) continue;
    const capture = { operation: 'Capture', amount: leg.amount, released: ZERO_MINOR } as const;
    work.step(leg, { ...capture, transactionId: newTransactionId(work), isWaiting: false });
  }
  if (card !== undefined) parts.push(addCard(work, card, transactionId));
  const transaction = work.addTransaction(
    {
      transactionId,
      number,
      type: operation === 'Verify' ? 'Verification' : isSale ? 'Sale' : 'Authorization',
      state: 'Completed',
      amount,
      vatAmount,
      description: terms.description,
      payeeReference: terms.payeeInfo.payeeReference ?? null,
      receiptReference: null,
      orderItems: null,
      initiatedBy: 'Payer',
      problem: null,
    },
    parts,
  );
  const authorizedUntil = isSale || operation === 'Verify' ? null : until;
  work.set({ status: 'Paid', paidBy: transactionId, heldUntil: null, authorizedUntil });
  work.note({
    name: 'PaymentPaid',
    initiatedBy: 'Payer',
    instrument: card === undefined ? 'GiftCard' : 'CreditCard',
    number,
    amount,
  });
  // What has become of the sums is told with it.
  work.sumUp();
  work.tell({ type: 'payment-order.paid', transaction });
}

function addCard(work: OrderWork, { amount, name }: CardPart, transactionId: TransactionId): OrderPart {
  const legId = work.newId() as LegId;
  work.addLeg({
    legId,
    kind: 'Card',
    state: 'Authorized',
    accountId: null,
    paymentId: work.order.cardPaymentId,
    instrumentType: 'creditcard',
    name,
    amount,
    cvcSequence: null,
  });
  return { legId, amount, released: ZERO_MINOR, ownId: transactionId };
}
