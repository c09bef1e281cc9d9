import { NO_LEG, remainingOf, unlessOver } from '../../engine/leg.rules.ts';
import type { Remaining } from '../../engine/leg.types.ts';
import { inputError } from '../../kit/errors.ts';
import type { OrderInstrument } from '../../orders/orders.types.ts';
import { readEndingSlice, readNewestSlice } from '../newest-first.rules.ts';
import type { AskedPage, EndingSlice } from '../newest-first.types.ts';
import {
  type AskedAmounts,
  type AskedPlace,
  readAmountRange,
  readPlace,
  readSearched,
} from '../payments/payments.rules.ts';
import type { SearchedText } from '../payments/payments.types.ts';
import type {
  LegLine,
  ListedOrder,
  OrderDetails,
  OrderMatch,
  OrderWay,
  SearchedStatus,
  ShownLeg,
} from './orders.types.ts';

/** A list of orders as a request asks for it. */
export interface AskedOrders extends AskedPage, AskedAmounts, AskedPlace {
  readonly status?: SearchedStatus | undefined;
  readonly instrument?: OrderInstrument | undefined;
  readonly split?: 'yes' | 'no' | undefined;
  readonly problem?: string | undefined;
  readonly search?: string | undefined;
}

/** What is asked for: a part of the list, or what a text names. */
export type ReadOrders =
  | ({ readonly by: 'list'; readonly match: OrderMatch } & EndingSlice)
  | { readonly by: 'text'; readonly searched: SearchedText };

/**
 * Reads what a request asks for.
 *
 * @throws Refusal `inputerror` where it cannot be read, or a search does not stand alone
 */
export function readOrders(asked: AskedOrders): ReadOrders {
  const slice = asked.status === 'ToCapture' ? readEndingSlice(asked) : readNewestSlice(asked);
  const { status, instrument, split, problem } = asked;
  const isSplit = split === undefined ? undefined : split === 'yes';
  const match = { status, instrument, isSplit, problem, amount: readAmountRange(asked), place: readPlace(asked) };
  if (asked.search === undefined) return { by: 'list', match, ...slice };
  const isNarrowed = Object.values(match).some((wanted) => wanted !== undefined);
  if (isNarrowed || asked.from !== undefined || asked.to !== undefined || asked.cursor !== undefined) {
    throw inputError(
      'search',
      'must stand alone: without period, status, instrument, split, problem, amounts, shop, site, terminal and cursor',
    );
  }
  return { by: 'text', searched: readSearched(asked.search) };
}

/** How the orders of a list are found. */
export function orderWay({ status, instrument, isSplit, amount, problem, place }: OrderMatch): OrderWay {
  if (status === 'ToCapture') return 'ending';
  if (status === 'Declined' || problem !== undefined) return 'tried';
  if (status === 'Succeeded') return 'looked';
  if ([instrument, isSplit, amount, place].some((wanted) => wanted !== undefined)) return 'looked';
  return status === undefined ? 'order' : 'status';
}

type PaidOrder = Pick<ListedOrder, 'isPaid' | 'isOver'>;

/** What is left of a leg: nothing before its order is paid. */
export function legLine(leg: ShownLeg, { isPaid, isOver }: PaidOrder): LegLine {
  const { reservedHold, reservedReversal, disputed, holdExpiresAt: _, ...shown } = leg;
  const amounts = { ...shown, reservedHold, reservedReversal, disputed: disputed ?? NO_LEG.amount };
  return { ...withoutNulls(shown), remaining: unlessOver(remainingOf(isPaid ? amounts : NO_LEG), isOver) };
}

/** A leg that nothing is held of has no payment, and so no amounts. */
function withoutNulls<Shown extends Pick<ShownLeg, 'captured' | 'cancelled' | 'reversed'>>(shown: Shown): Shown {
  const { captured, cancelled, reversed } = shown;
  return { ...shown, captured: captured ?? 0, cancelled: cancelled ?? 0, reversed: reversed ?? 0 };
}

/** An order with what is left of it: as the API says it. */
export function withRemaining<Order extends ListedOrder>(order: Order): Order & { readonly remaining: Remaining } {
  return { ...order, remaining: unlessOver(remainingOf(order.isPaid ? order : NO_LEG), order.isOver) };
}

/** What of a transaction's VAT falls on an amount: all that is left with the last one, else its share, rounded down. */
export function vatOf(
  order: Pick<OrderDetails, 'amount' | 'vatAmount'>,
  { amount, left, vatLeft }: { readonly amount: number; readonly left: number; readonly vatLeft: number },
): number {
  if (amount >= left) return Math.min(vatLeft, amount);
  // Their product may be above what a number counts exactly.
  const share = Number((BigInt(order.vatAmount) * BigInt(amount)) / BigInt(Math.max(order.amount, 1)));
  return Math.min(share, vatLeft);
}
