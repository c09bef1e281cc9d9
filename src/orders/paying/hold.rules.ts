import { isBlocked } from '../../accounts/identifying/strikes.rules.ts';
import { addSeconds } from '../../kit/instants.ts';
import { amountMinor, ZERO_MINOR } from '../../kit/money.ts';
import type { Account } from '../../ledger/ledger.types.ts';
import type { OrderWork } from '../order-work.rules.ts';
import type { OrderLeg, OrderSettings, PaymentOrder } from '../orders.types.ts';
import { mostFor, type Payer, type Plan, planSplit } from '../plan.rules.ts';

/** A gift card as it can pay an order now: nothing, where its code, its block or its end have overtaken the check. */
export function payerOf(
  leg: Pick<OrderLeg, 'legId' | 'state' | 'amount' | 'cvcSequence'>,
  {
    order,
    account,
    now,
  }: { readonly order: Pick<PaymentOrder, 'orderItems' | 'currency'>; readonly account: Account; readonly now: string },
): Payer {
  const isUsable =
    !isBlocked(account, now) &&
    (account.expiresAt === null || account.expiresAt > now) &&
    account.cvcSequence === leg.cvcSequence &&
    account.currency === order.currency;
  return {
    legId: leg.legId,
    available: account.available,
    held: leg.state === 'Held' ? leg.amount : 0,
    most: isUsable ? mostFor(order, account) : 0,
  };
}

/** How an unpaid order would be paid now. */
export function planOf(work: OrderWork, { smallestCardAmount }: Pick<OrderSettings, 'smallestCardAmount'>): Plan {
  const { order, now } = work;
  const payers = giftCardsOf(work).map((leg) => payerOf(leg, { order, account: work.accountOf(leg), now }));
  return planSplit(order.amount, payers, order.instrument === 'GiftCard' ? 0 : smallestCardAmount);
}

/** The gift cards of an order, in the order added. */
export function giftCardsOf({ legs }: Pick<OrderWork, 'legs'>): readonly OrderLeg[] {
  return legs.filter(({ kind }) => kind === 'Account');
}

/** Holds what each gift card pays, until the payer has had time to pay the rest. */
export function holdAll(work: OrderWork, plan: Plan, { holdMinutes }: Pick<OrderSettings, 'holdMinutes'>): void {
  const until = addSeconds(work.now, holdMinutes * 60);
  const shares = new Map(plan.legs.map(({ legId, amount }) => [legId, amount]));
  // What is given back first may be what another hold takes: two legs never share an account, so the order is free.
  for (const leg of giftCardsOf(work)) work.hold(leg, amountMinor(shares.get(leg.legId) ?? 0), until);
  noteHolds(work, until);
}

/** Gives back what is held of all gift cards. */
export function releaseAll(work: OrderWork): void {
  for (const leg of giftCardsOf(work)) work.release(leg);
  noteHolds(work, work.now);
}

/** Lowers holds that are above what the order takes of them now. */
export function lowerHolds(work: OrderWork, plan: Plan): void {
  const shares = new Map(plan.legs.map(({ legId, amount }) => [legId, amount]));
  const { heldUntil } = work.order;
  for (const leg of giftCardsOf(work)) {
    const share = amountMinor(shares.get(leg.legId) ?? ZERO_MINOR);
    if (leg.state === 'Held' && share < leg.amount) work.hold(leg, share, heldUntil ?? work.now);
  }
  noteHolds(work, heldUntil ?? work.now);
}

/** The order says until when something is held, or that nothing is. */
export function noteHolds(work: OrderWork, until: string): void {
  work.set({ heldUntil: giftCardsOf(work).some(({ state }) => state === 'Held') ? until : null });
}
