import type { CardProblemCode } from '../../kit/cards/card-problems.ts';
import { addSeconds } from '../../kit/instants.ts';
import { type RowWrite, rowsBy } from '../../kit/row-writes.ts';
import { EXPIRED } from '../../payments/payment-state.rules.ts';
import {
  type CardPayment,
  type CardTransaction,
  CHANGED_CARD_PAYMENT,
  CHANGED_CARD_TRANSACTION,
  NEW_CARD_TRANSACTION,
} from '../../payments/payments.types.ts';
import { settleFollowUp } from '../changes/follow-up-order.rules.ts';
import type { CardOfOrderCommand, ChangeOrderCommand } from '../order-commands.types.ts';
import type { OrderWork } from '../order-work.rules.ts';
import { giftCardsOf, noteHolds, releaseAll } from './hold.rules.ts';
import { payOrder } from './paid.rules.ts';

/** What an order makes of changes of its card payment, whatever command they come from. */
export function followCard(
  work: OrderWork,
  command: Pick<CardOfOrderCommand, 'settings' | 'targets' | 'initiatedBy' | 'holdSecondsOf'>,
  writes: readonly RowWrite[],
): void {
  const before = work.card;
  const { initiatedBy } = command;
  const after = rowsBy(CHANGED_CARD_PAYMENT, writes).at(-1) ?? before;
  work.card = after;
  work.set({ unsettled: after.unsettled, failedTries: after.failedTries });
  const written = transactionsIn(writes);
  for (const { transaction, isNew } of written) noteTry(work, transaction, { isNew, initiatedBy });
  const transactions = written.map(({ transaction }) => transaction);
  const paying = transactions.find(({ transactionId }) => transactionId === after.paidBy);
  if (before.paidBy === null && paying !== undefined) {
    const { transactionId, number, amount, card, issuerId } = paying;
    const holdSeconds = issuerId === null ? 0 : command.holdSecondsOf(issuerId);
    payOrder(work, command, { transactionId, number, card: { amount, name: card?.maskedPan ?? '', holdSeconds } });
  }
  for (const transaction of transactions) settleFollowUp(work, command, transaction);
  if (work.order.status === 'Initialized') whileUnpaid(work, command, { after, transactions });
}

/** Transactions of card payments that are written, new and changed, in their order. */
function transactionsIn(writes: readonly RowWrite[]) {
  return writes.flatMap((one) => {
    const isNew = one.by === NEW_CARD_TRANSACTION;
    const isOne = isNew || one.by === CHANGED_CARD_TRANSACTION;
    return isOne ? [{ transaction: one.row as CardTransaction, isNew }] : [];
  });
}

interface Unpaid {
  readonly after: CardPayment;
  readonly transactions: readonly CardTransaction[];
}

/** An order that is over gives all back; one that is not keeps what it holds for another card. */
function whileUnpaid(
  work: OrderWork,
  { settings, initiatedBy }: Pick<ChangeOrderCommand, 'settings' | 'initiatedBy'>,
  { after, transactions }: Unpaid,
): void {
  if (after.state === 'Aborted') {
    abort(work, after, initiatedBy);
    return;
  }
  // What may still turn out to be held at an issuer keeps it from its end.
  if (after.state === 'Failed' && after.unsettled === 0) {
    const problem =
      transactions.findLast((one) => one.problem !== null)?.problem ?? ('carddeclined' as CardProblemCode);
    work.set({ status: 'Failed', problem });
    releaseAll(work);
    work.tell({ type: 'payment-order.failed', transaction: undefined });
    return;
  }
  if (transactions.some(({ state }) => state === 'Failed') && giftCardsOf(work).some(({ state }) => state === 'Held')) {
    noteHolds(work, addSeconds(work.now, settings.holdMinutes * 60));
  }
}

function abort(work: OrderWork, { abortReason }: CardPayment, initiatedBy: ChangeOrderCommand['initiatedBy']): void {
  const isExpired = abortReason === EXPIRED;
  work.set({ status: 'Aborted', abortReason: abortReason ?? EXPIRED });
  releaseAll(work);
  work.note({
    name: isExpired ? 'PaymentExpired' : 'PaymentAborted',
    initiatedBy: isExpired ? 'PaymentGateway' : initiatedBy,
  });
  work.tell({ type: isExpired ? 'payment-order.expired' : 'payment-order.aborted', transaction: undefined });
}

/** A try in the history: that it began, and how it ended once that is known. */
function noteTry(
  work: OrderWork,
  transaction: CardTransaction,
  { isNew, initiatedBy }: Pick<ChangeOrderCommand, 'initiatedBy'> & { readonly isNew: boolean },
): void {
  const { type, state, problem, takingBack, number, amount, isStored } = transaction;
  if (type !== 'Authorization' && type !== 'Verification') return;
  const about = { instrument: 'CreditCard', number, amount } as const;
  if (isNew) work.note({ ...about, name: 'PaymentAttemptStarted', initiatedBy: 'Payer', isPrefilled: isStored });
  if (state !== 'Failed' || takingBack) return;
  const isAborted = problem === '3dsecureusercancelled';
  work.note({
    ...about,
    name: isAborted ? 'PaymentAttemptAborted' : 'PaymentAttemptFailed',
    // The payee may abort it too, and a new amount does.
    initiatedBy: isAborted ? initiatedBy : 'PaymentGateway',
  });
  const { payeeId, transactionId, description, payeeReference, vatAmount, createdAt, updatedAt } = transaction;
  const told = { payeeId, transactionId, number, type, state, amount, vatAmount, description, payeeReference, problem };
  const rest = { orderId: work.order.orderId, receiptReference: null, orderItems: null, initiatedBy: 'Payer' } as const;
  work.tell({
    type: 'payment-order.attempt-failed',
    transaction: { ...told, ...rest, createdAt, updatedAt, parts: [] },
  });
}
