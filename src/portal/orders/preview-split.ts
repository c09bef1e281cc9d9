import type { Read } from '../../db/transaction.types.ts';
import { NO_LEG } from '../../engine/leg.rules.ts';
import { forbidden, inputError, notFound } from '../../kit/errors.ts';
import { isUuid, type PayeeId } from '../../kit/ids.ts';
import { isAmountMinor } from '../../kit/money.ts';
import type { LegId } from '../../orders/orders.types.ts';
import { orderSettings } from '../../orders/settings/order-settings.ts';
import { partsOf, type Share } from '../../orders/split.rules.ts';
import { vatOf, withRemaining } from './orders.rules.ts';
import { selectOneOrder, selectOrderParts } from './orders.store.ts';
import type { OrderTransactionLine } from './orders.types.ts';

/** A capture or reversal that is thought of. */
export interface AskedSplit {
  readonly orderId: string;
  readonly type: 'Capture' | 'Reversal';
  /** A whole number in the currency's smallest unit. */
  readonly amount: string;
}

/** How it would fall on the legs, by the rules that the API goes by, and the VAT that belongs to it. */
export interface SplitPreview {
  readonly parts: readonly Share[];
  readonly vatAmount: number;
}

/**
 * How a capture or reversal of an order would be split now.
 *
 * @throws Refusal `notfound`; `inputerror` where the amount is none; `forbidden` where less is left
 */
export async function previewSplit(read: Read, payeeId: PayeeId, asked: AskedSplit): Promise<SplitPreview> {
  const { type } = asked;
  const amount = Number(asked.amount);
  if (!/^\d{1,12}$/.test(asked.amount) || !isAmountMinor(amount) || amount === 0) {
    throw inputError('amount', "must be a whole number in the currency's smallest unit");
  }
  const orderId = asked.orderId.toLowerCase();
  const key = { payeeId, orderId };
  const order = isUuid(orderId) ? await selectOneOrder(read, key) : undefined;
  if (order === undefined) throw notFound();
  const [{ legs, transactions }, { captureOrder, reversalOrder }] = await Promise.all([
    selectOrderParts(read, key),
    orderSettings(read, payeeId),
  ]);
  const split = legs.map(({ legId, kind, position, ...amounts }) => ({
    legId: legId as LegId,
    kind,
    position,
    amounts: order.isPaid ? amounts : NO_LEG,
  }));
  const parts = partsOf(split, {
    type,
    amount,
    legs: undefined,
    order: type === 'Capture' ? captureOrder : reversalOrder,
  });
  const left = withRemaining(order).remaining[type === 'Capture' ? 'capture' : 'reversal'];
  if (typeof parts === 'string' || amount > left) throw forbidden(type, 'Less is left.');
  const vatLeft = Math.max(vatBase(order.vatAmount, type, transactions) - vatSum(transactions, type), 0);
  return { parts, vatAmount: vatOf(order, { amount, left, vatLeft }) };
}

/** What VAT there is to take of: the order's, or what was captured of it. */
function vatBase(vatAmount: number, type: AskedSplit['type'], transactions: readonly OrderTransactionLine[]): number {
  if (type === 'Capture' || transactions.some((one) => one.type === 'Sale')) return vatAmount;
  return vatSum(transactions, 'Capture');
}

function vatSum(transactions: readonly OrderTransactionLine[], type: AskedSplit['type']): number {
  return transactions
    .filter((one) => one.type === type && one.state !== 'Failed')
    .reduce((sum, one) => sum + one.vatAmount, 0);
}
