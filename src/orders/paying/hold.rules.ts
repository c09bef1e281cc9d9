import { addSeconds } from '../../kit/instants.ts';
import { amountMinor, ZERO_MINOR } from '../../kit/money.ts';
import type { OrderWork } from '../order-work.rules.ts';
import type { OrderLeg, OrderSettings } from '../orders.types.ts';
import { type Plan, planUnpaid } from '../plan.rules.ts';

/** How an unpaid order would be paid now. */
export function planOf(work: OrderWork, settings: Pick<OrderSettings, 'smallestCardAmount'>): Plan {
  const { order, now } = work;
  const giftCards = giftCardsOf(work).map((leg) => ({ leg, account: work.accountOf(leg), rests: work.restsOf(leg) }));
  return planUnpaid({ order, giftCards, settings, now });
}

/** The gift cards of an order, in the order added. */
export function giftCardsOf({ legs }: Pick<OrderWork, 'legs'>): readonly OrderLeg[] {
  return legs.filter(({ kind }) => kind === 'Account');
}

/** Holds what each gift card pays, until the payer has had time to pay the rest. */
export function holdAll(work: OrderWork, plan: Plan, { holdMinutes }: Pick<OrderSettings, 'holdMinutes'>): void {
  const until = addSeconds(work.now, holdMinutes * 60);
  const shares = new Map(plan.legs.map(({ legId, amount }) => [legId, amount]));
  // Two legs never share an account, but they may share a limit: what one gives back may be what the other one takes.
  for (const leg of giftCardsOf(work)) if (leg.amount !== (shares.get(leg.legId) ?? 0)) work.release(leg);
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
