import { remainingOf, unlessOver } from '../engine/leg.rules.ts';
import type { Leg, Remaining } from '../engine/leg.types.ts';
import { type AmountMinor, amountMinor, ZERO_MINOR } from '../kit/money.ts';
import type { SeenSplit } from '../payments/payment-commands.types.ts';
import type { WantedPart } from './order-requests.types.ts';
import type { LegId, LegOrder, OrderLeg, OrderTransactionType, OrderView, PaymentOrder } from './orders.types.ts';
import type { Plan } from './plan.rules.ts';

/** Nothing can be done. */
export const NOTHING_REMAINS: Remaining = { capture: ZERO_MINOR, cancel: ZERO_MINOR, reversal: ZERO_MINOR };

/** What can still be captured, cancelled and given back of an order: nothing before it is paid, as of its sums. */
export function remainingOfOrder(order: PaymentOrder): Remaining {
  return order.paidBy === null ? NOTHING_REMAINS : remainingOf(order);
}

/** The end of an order's authorization with what was done to it, at an instant. */
interface OrderAt {
  readonly order: Pick<PaymentOrder, 'authorizedUntil'>;
  readonly transactions: readonly { readonly initiatedBy: string; readonly state: string }[];
  readonly now: string;
}

/** The same once its authorization may be over: nothing can be captured then. */
export function remainingAt(seen: OrderAt & Pick<OrderView, 'order'>): Remaining {
  return unlessOver(remainingOfOrder(seen.order), isAuthorizationOver(seen));
}

/** Whether an order's authorization is over. The job that ends it comes a moment later, and again where the acquirer has declined the end. */
export function isAuthorizationOver({ order: { authorizedUntil }, transactions, now }: OrderAt): boolean {
  return authorizedUntil !== null && (authorizedUntil <= now || transactions.some(isDeclinedEnd));
}

/** Whether it is an end of the authorization that the acquirer has declined: it is asked again later. */
export function isDeclinedEnd({ initiatedBy, state }: OrderAt['transactions'][number]): boolean {
  return initiatedBy === 'PaymentGateway' && state === 'Failed';
}

/** An amount on a leg. */
export interface Share {
  readonly legId: LegId;
  readonly amount: AmountMinor;
}

/** What can be taken of a leg. */
export interface Left {
  readonly legId: LegId;
  readonly left: number;
}

/**
 * An amount over legs, in the order given: each gives what is left of it, or what is left of the amount. Parts of 0 are left
 * out.
 *
 * @returns undefined where less is left
 */
export function spread(amount: number, legs: readonly Left[]): readonly Share[] | undefined {
  let rest = amount;
  const shares: Share[] = [];
  for (const { legId, left } of legs) {
    const share = Math.min(left, rest);
    if (share > 0) shares.push({ legId, amount: amountMinor(share) });
    rest -= share;
  }
  return rest === 0 ? shares : undefined;
}

/** A leg that something is to be taken of, or given back to. */
export type SplitLeg = Pick<OrderLeg, 'legId' | 'kind' | 'position'> & { readonly amounts: Leg };

/** The type of a transaction that follows a payment. */
export type FollowUpOfOrder = Extract<OrderTransactionType, 'Capture' | 'Cancellation' | 'Reversal'>;

const LEFT = { Capture: 'capture', Cancellation: 'cancel', Reversal: 'reversal' } as const;

/**
 * The legs in the order in which a transaction takes from them: a capture gift cards first, in the order used, then the
 * card, or the card first; a reversal gives back as it is named, of gift cards the last first.
 */
export function inOrderOf<Some extends Pick<SplitLeg, 'kind' | 'position'>>(
  type: FollowUpOfOrder,
  legs: readonly Some[],
  order: LegOrder,
): readonly Some[] {
  const cardLast = order === 'GiftCardsFirst' ? 1 : -1;
  const rank = ({ kind }: Some) => (kind === 'Card' ? cardLast : 0);
  const forwards = type === 'Reversal' ? -1 : 1;
  return legs.toSorted((a, b) => rank(a) - rank(b) || forwards * (a.position - b.position));
}

/** A transaction as it is asked for. */
export interface WantedSplit {
  readonly type: FollowUpOfOrder;
  /** Undefined for a cancellation, which takes all that is left of every leg. */
  readonly amount: number | undefined;
  /** As the request names the parts; undefined: by the payee's setting. */
  readonly legs: readonly WantedPart[] | undefined;
  readonly order: LegOrder;
}

/** Why a transaction cannot be split so. `UnlikeSum`: the parts that the request names are not its amount. */
export type Unsplittable = 'NothingLeft' | 'TooMuch' | 'UnknownLeg' | 'UnlikeSum';

/** The parts of a transaction, in the order in which they are taken; all of them, or none. */
export function partsOf(legs: readonly SplitLeg[], wanted: WantedSplit): readonly Share[] | Unsplittable {
  const { type, amount, order } = wanted;
  const lefts = inOrderOf(type, legs, order).map(({ legId, amounts }) => ({
    legId,
    left: remainingOf(amounts)[LEFT[type]],
  }));
  const all = lefts.reduce((sum, { left }) => sum + left, 0);
  if (all === 0) return 'NothingLeft';
  if (wanted.legs !== undefined && type !== 'Cancellation') return named(lefts, { parts: wanted.legs, amount });
  return spread(amount ?? all, lefts) ?? 'TooMuch';
}

function named(
  lefts: readonly Left[],
  { parts, amount }: { readonly parts: readonly WantedPart[]; readonly amount: number | undefined },
): readonly Share[] | Unsplittable {
  const asked = new Map(parts.map((part) => [part.legId.toLowerCase(), part.amount]));
  if (asked.size !== parts.length || ![...asked.keys()].every((id) => lefts.some(({ legId }) => legId === id))) {
    return 'UnknownLeg';
  }
  if (parts.reduce((sum, part) => sum + part.amount, 0) !== amount) return 'UnlikeSum';
  const shares = lefts.map(({ legId, left }) => ({ legId, left, amount: asked.get(legId) ?? 0 }));
  if (shares.some((share) => share.amount > share.left)) return 'TooMuch';
  return shares.flatMap((share) =>
    share.amount > 0 ? [{ legId: share.legId, amount: amountMinor(share.amount) }] : [],
  );
}

/** VAT over the parts of an amount: each rounded down, and the last one has what is missing to the whole. */
export function vatOfParts(vatAmount: number, amounts: readonly number[]): readonly AmountMinor[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  if (total === 0) return amounts.map(() => ZERO_MINOR);
  let rest = vatAmount;
  return amounts.map((amount, index) => {
    // Their product may be above what a number counts exactly.
    const share = Number((BigInt(vatAmount) * BigInt(amount)) / BigInt(total));
    const own = index === amounts.length - 1 ? rest : share;
    rest -= own;
    return amountMinor(own);
  });
}

/** Whether a payer saw what would be paid now: of each gift card, and of the card. */
export function isAsSeen({ legs, card }: Plan, seen: SeenSplit | undefined): boolean {
  if (seen === undefined) return false;
  const shown = new Map(seen.legs.map(({ legId, amount }) => [legId, amount]));
  return (
    seen.card === card && shown.size === legs.length && legs.every(({ legId, amount }) => shown.get(legId) === amount)
  );
}
