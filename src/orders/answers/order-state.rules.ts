import { remainingOf } from '../../engine/leg.rules.ts';
import { isPaidByToken } from '../../payments/payment-state.rules.ts';
import { mayFollow } from '../changes/may-follow.rules.ts';
import type {
  LegWithAmounts,
  OrderInstrument,
  OrderStatus,
  OrderView,
  PayeeOffer,
  PaymentOrder,
} from '../orders.types.ts';
import type { OrderPossible } from './views.rules.ts';

/** The state of an order as 2.0 has it. `Ready` stays so when it is paid; `Pending` while an outcome is unknown. */
export type OrderState = 'Ready' | 'Pending' | 'Failed' | 'Aborted';

/** The status as it is shown: the job stores the end of an order's time a moment later. */
export function shownStatus({ order, now }: Pick<OrderView, 'order' | 'now'>): OrderStatus {
  return isOver(order, now) ? 'Aborted' : order.status;
}

/** The same as 2.0 has it. */
export function shownState(view: Pick<OrderView, 'order' | 'now'>): OrderState {
  if (view.order.unsettled > 0) return 'Pending';
  const status = shownStatus(view);
  return status === 'Failed' || status === 'Aborted' ? status : 'Ready';
}

/** Whether the acquirer of an order's card can be asked for a step. */
export type CardOffers = (step: 'Capture' | 'Reversal') => boolean;

/**
 * What can be done with an order now. What its card's acquirer lacks is there as long as gift cards can do it; a cancellation
 * always is: one that the acquirer takes no notice of ends the card's part all the same.
 */
export function possibleWith(view: OrderView, cardOffers: CardOffers): ReadonlySet<OrderPossible> {
  const { order, remaining, legs } = view;
  const hasTaker = (step: 'Capture' | 'Reversal', left: 'capture' | 'reversal') =>
    legs.some(({ kind, amounts }) => remainingOf(amounts)[left] > 0 && (kind === 'Account' || cardOffers(step)));
  const status = shownStatus(view);
  const pages: OrderPossible[] = isPaidByToken(order) ? [] : ['redirect', 'view'];
  if (order.unsettled > 0 && (order.paidBy === null || !mayFollow(view, 'Capture'))) return new Set(pages);
  switch (status) {
    case 'Initialized':
      return new Set(isPaidByToken(order) ? [] : [...pages, ...whileUnpaid(view)]);
    case 'Failed':
      return new Set([...pages, 'show-failed']);
    case 'Aborted':
      return new Set([...pages, 'show-aborted']);
    default:
      return new Set([
        ...(remaining.capture > 0 && hasTaker('Capture', 'capture') ? (['capture'] as const) : []),
        ...(remaining.cancel > 0 ? (['cancel'] as const) : []),
        ...(mayFollow(view, 'Reversal') && remaining.reversal > 0 && hasTaker('Reversal', 'reversal')
          ? (['reverse'] as const)
          : []),
        'show-paid',
      ]);
  }
}

function whileUnpaid({ order, card }: OrderView): readonly OrderPossible[] {
  const isTried = card.transactions.some(({ state }) => state === 'AwaitingActivity');
  return [
    ...(order.operation === 'Purchase' ? (['update'] as const) : []),
    'abort',
    ...(isTried ? (['abort-attempt'] as const) : []),
    order.instrument === null ? 'expand-instrument' : 'set-instrument',
    'session',
  ];
}

/** What the menu offers, in its order. Gift cards make no token, and are no card that could be verified. */
export function menuOf(
  { instrument, terms, operation }: Pick<PaymentOrder, 'instrument' | 'terms' | 'operation'>,
  { hasGiftCards }: { readonly hasGiftCards: boolean },
): readonly OrderInstrument[] {
  if (instrument !== null) return [instrument];
  const offered: readonly OrderInstrument[] = terms.restrictedToInstruments ?? ['CreditCard', 'GiftCard'];
  return offered.filter((name) => name !== 'GiftCard' || (hasGiftCards && takesGiftCards({ operation, terms })));
}

/** Whether gift cards can pay at all: they are no card that could be verified, or charged later. */
export function takesGiftCards({
  operation,
  terms,
}: Pick<PaymentOrder, 'operation'> & { readonly terms: Pick<PaymentOrder['terms'], 'generate'> }): boolean {
  return operation === 'Purchase' && terms.generate.every((type) => type === 'Payment');
}

/** The same by what the payee offers: gift cards where it has them, unless it has settled otherwise or sells gift cards by it. */
export function menuWith(
  order: Pick<PaymentOrder, 'instrument' | 'terms' | 'operation'>,
  { settings: { giftCardsOnPage, giftCardsBuyGiftCards }, hasGiftCards }: PayeeOffer,
): readonly OrderInstrument[] {
  const isOffered = giftCardsOnPage ?? hasGiftCards;
  return menuOf(order, {
    hasGiftCards: isOffered && (order.terms.buysGiftCards !== true || giftCardsBuyGiftCards),
  });
}

/** The leg that leads a transaction: the card's, where it has a part in it, else the first. */
export function leadOf(
  legs: readonly LegWithAmounts[],
  parts?: readonly { readonly legId: string }[],
): LegWithAmounts | undefined {
  const taking = parts === undefined ? legs : legs.filter(({ legId }) => parts.some((part) => part.legId === legId));
  return taking.find(({ kind }) => kind === 'Card') ?? taking[0];
}

/** What a leg is paid with. */
export function instrumentOfLeg(leg: Pick<LegWithAmounts, 'kind'> | undefined): OrderInstrument {
  return leg === undefined || leg.kind === 'Card' ? 'CreditCard' : 'GiftCard';
}

function isOver({ status, expiresAt }: PaymentOrder, now: string): boolean {
  return status === 'Initialized' && expiresAt <= now;
}
