import { isBlocked } from '../accounts/identifying/strikes.rules.ts';
import type { Rest } from '../accounts/turnover/turnover.types.ts';
import type { Account } from '../ledger/ledger.types.ts';
import { menuOf } from './answers/order-state.rules.ts';
import type { OrderItem, OrderLeg, OrderSettings, PaymentOrder } from './orders.types.ts';

/** A gift card that is to pay a part of an order. Minor units. */
export interface Payer {
  readonly legId: string;
  /** What its account has that is not held. */
  readonly available: number;
  /** What is held of it for this order. */
  readonly held: number;
  /** See `mostFor`. */
  readonly most: number;
  /** What limits leave of it, with what is held for the order; absent where there are none. */
  readonly rests?: readonly Rest[] | undefined;
}

/** What a gift card pays, and what it has left then. */
export interface PlannedLeg {
  readonly legId: string;
  readonly amount: number;
  readonly left: number;
}

/** How an order is paid. */
export interface Plan {
  /** In the order of the gift cards; one that is not needed pays 0. */
  readonly legs: readonly PlannedLeg[];
  /** What is left for a card. */
  readonly card: number;
}

/**
 * What each gift card pays of an order: all it has, in the order in which they were added. Where less would be left for the
 * card than it may be asked for, the last gift cards give way to it.
 *
 * @param leastByCard the payee's smallest amount of a card; 0 where no card can pay
 */
export function planSplit(amount: number, payers: readonly Payer[], leastByCard: number): Plan {
  const legs: PlannedLeg[] = [];
  /** What those before have left of limits that cards share. */
  const lefts = new Map<string, number>();
  let rest = amount;
  for (const { legId, available, held, most, rests = [] } of payers) {
    const limits = rests.map(({ id, left }) => lefts.get(id) ?? left);
    const pays = Math.min(available + held, most, rest, ...limits);
    rests.forEach(({ id }, place) => void lefts.set(id, (limits[place] ?? 0) - pays));
    rest -= pays;
    legs.push({ legId, amount: pays, left: available + held - pays });
  }
  let missing = rest === 0 ? 0 : Math.max(0, Math.min(leastByCard, amount) - rest);
  for (let last = legs.length - 1; last >= 0 && missing > 0; last--) {
    const leg = legs[last] as PlannedLeg;
    const given = Math.min(leg.amount, missing);
    legs[last] = { ...leg, amount: leg.amount - given, left: leg.left + given };
    missing -= given;
    rest += given;
  }
  return { legs, card: rest };
}

/**
 * The most that an account may pay of an order: all of it, or, where it is for some products alone, the items that are among
 * them by reference or class. Without items there are none.
 */
export function mostFor(
  { orderItems }: { readonly orderItems: readonly OrderItem[] },
  { allowedProductIds }: Pick<Account, 'allowedProductIds'>,
): number {
  if (allowedProductIds.length === 0) return Number.POSITIVE_INFINITY;
  const paid = orderItems.filter(
    ({ reference, class: group }) => allowedProductIds.includes(reference) || allowedProductIds.includes(group),
  );
  return Math.max(
    0,
    paid.reduce((sum, { amount }) => sum + amount, 0),
  );
}

/** An unpaid order with its gift cards, in the order added. */
export interface Unpaid {
  readonly order: Pick<PaymentOrder, 'amount' | 'currency' | 'orderItems' | 'instrument' | 'terms' | 'operation'>;
  readonly giftCards: readonly GiftCardOnOrder[];
  readonly settings: Pick<OrderSettings, 'smallestCardAmount'>;
  readonly now: string;
}

/** A gift card on an order; without an account it pays nothing. */
export interface GiftCardOnOrder {
  readonly leg: Pick<OrderLeg, 'legId' | 'state' | 'amount' | 'cvcSequence'>;
  readonly account: Account | undefined;
  /** What limits of its product leave; absent where there are none. */
  readonly rests?: readonly Rest[] | undefined;
}

/** How an unpaid order would be paid now: what the page shows, and what Pay holds its payer to. */
export function planUnpaid({ order, giftCards, settings, now }: Unpaid): Plan {
  const takesCards = menuOf(order, { hasGiftCards: true }).includes('CreditCard');
  const payers = giftCards.map(({ leg, account, rests = [] }) => ({
    legId: leg.legId,
    available: account?.available ?? 0,
    held: heldOf(leg),
    most: account !== undefined && isUsable(leg, account, { order, now }) ? mostFor(order, account) : 0,
    rests: rests.map(({ id, left }) => ({ id, left: left + heldWithin(id, giftCards) })),
  }));
  return planSplit(order.amount, payers, takesCards ? settings.smallestCardAmount : 0);
}

function heldOf({ state, amount }: GiftCardOnOrder['leg']): number {
  return state === 'Held' ? amount : 0;
}

/** What the gift cards of an order hold that counts to a sum already. */
function heldWithin(id: string, giftCards: readonly GiftCardOnOrder[]): number {
  const counted = giftCards.filter(({ rests = [] }) => rests.some((rest) => rest.id === id));
  return counted.reduce((sum, { leg }) => sum + heldOf(leg), 0);
}

/** Not where its code, its block or its end have overtaken the check. */
function isUsable(
  { cvcSequence }: GiftCardOnOrder['leg'],
  account: Account,
  { order: { currency }, now }: Pick<Unpaid, 'order' | 'now'>,
): boolean {
  return (
    !isBlocked(account, now) &&
    (account.expiresAt === null || account.expiresAt > now) &&
    account.cvcSequence === cvcSequence &&
    account.currency === currency
  );
}
