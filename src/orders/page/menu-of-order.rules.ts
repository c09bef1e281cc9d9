import type { Rest } from '../../accounts/turnover/turnover.types.ts';
import { orderPath } from '../../kit/cards/payment-order-paths.ts';
import type { KnownAccount } from '../../ledger/ledger.types.ts';
import type { Menu, MenuInstrument, PageState, ShownGiftCard } from '../../payments/page/page.types.ts';
import { undoneAs } from '../../payments/page/page-state.rules.ts';
import { EXPIRED } from '../../payments/payment-state.rules.ts';
import { menuWith } from '../answers/order-state.rules.ts';
import type { Closed } from '../guessing/guessing.types.ts';
import {
  GIFT_CARDS_OF_ORDER,
  type LegWithAmounts,
  type OrderView,
  type PayeeOffer,
  type PaymentOrder,
} from '../orders.types.ts';
import { type Plan, planUnpaid } from '../plan.rules.ts';

/** Why an order was aborted by the payer. */
export const ABORTED_BY_PAYER = 'Payment aborted by payer';

/** An order as its page asks about it. */
export interface AskedMenu {
  readonly view: OrderView;
  readonly offer: PayeeOffer;
  /** Of its gift cards, by their ids. */
  readonly accounts: ReadonlyMap<string, KnownAccount>;
  /** What limits of their products leave of them; see `GiftCardOnOrder`. */
  readonly rests: ReadonlyMap<string, readonly Rest[]>;
  /** Why no more may be entered; undefined where they may. */
  readonly closed: Closed | undefined;
}

/** What surrounds the card payment of an order on its page. */
export function menuOfOrder({ view, offer, accounts, rests, closed }: AskedMenu): Menu {
  const { order, legs, transactions } = view;
  const instruments = instrumentsOf(order, offer);
  const giftLegs = legs.filter(({ kind }) => kind === 'Account');
  const giftCards = giftLegs.map((leg) => ({
    leg,
    account: accounts.get(leg.accountId ?? ''),
    rests: rests.get(leg.accountId ?? ''),
  }));
  const plan =
    order.paidBy === null ? planUnpaid({ order, giftCards, settings: offer.settings, now: view.now }) : undefined;
  const paid = transactions.find(({ transactionId }) => transactionId === order.paidBy);
  const byCard = plan?.card ?? legs.find(({ kind }) => kind === 'Card')?.amounts.amount ?? 0;
  return {
    id: orderPath(order),
    state: stateOf(view),
    undone: order.paidBy === null ? undefined : undoneAs(order),
    isEndedByPayer: order.status === 'Aborted' && order.abortReason === ABORTED_BY_PAYER,
    wasOpened: order.integration !== null,
    total: order.amount - order.cancelled,
    reversed: order.reversed,
    paidAt: order.operation === 'Verify' ? undefined : paid?.updatedAt,
    items: order.orderItems.map(({ name, quantity, quantityUnit, amount }) => ({
      name,
      quantity,
      quantityUnit,
      amount,
    })),
    instruments,
    opened: openedOf(order, instruments),
    giftCards: giftLegs.map((leg) => shownGiftCard(leg, plan, accounts)),
    byCard,
    keptUntil: giftLegs.some(({ state }) => state === 'Held') ? (order.heldUntil ?? undefined) : undefined,
    entry: closed !== undefined ? 'Closed' : giftLegs.length >= GIFT_CARDS_OF_ORDER ? 'Full' : 'Open',
    asksConsent: order.terms.enablePaymentDetailsConsentCheckbox === true,
    showsStoredCards: order.terms.disableStoredPaymentDetails !== true,
  };
}

/** What is open at first: what the payee has opened since, or the first one where it asked for that. */
function openedOf({ terms }: PaymentOrder, instruments: readonly MenuInstrument[]): MenuInstrument | undefined {
  const expanded = instruments.find((instrument) => instrument === terms.expandedInstrument);
  return expanded ?? (terms.expandFirstInstrument === true ? instruments[0] : undefined);
}

/** The means that the page offers. Where none is left of what was asked for, its form stands there, and says why. */
function instrumentsOf(order: PaymentOrder, offer: PayeeOffer): readonly MenuInstrument[] {
  const offered = menuWith(order, offer);
  return offered.length > 0 ? offered : (order.terms.restrictedToInstruments ?? ['CreditCard']);
}

function shownGiftCard(
  leg: LegWithAmounts,
  plan: Plan | undefined,
  accounts: ReadonlyMap<string, KnownAccount>,
): ShownGiftCard {
  const planned = plan?.legs.find(({ legId }) => legId === leg.legId);
  const left = planned?.left ?? accounts.get(leg.accountId ?? '')?.available ?? 0;
  return { legId: leg.legId, lastFour: leg.name.slice(-4), amount: planned?.amount ?? leg.amounts.amount, left };
}

/** What an order says of itself; undefined while it is as its card payment is. */
function stateOf({ order, now }: OrderView): PageState | undefined {
  switch (order.status) {
    case 'Initialized':
      return order.expiresAt <= now && order.unsettled === 0 ? 'expired' : undefined;
    case 'Failed':
      return 'failed';
    case 'Aborted':
      return order.abortReason === EXPIRED ? 'expired' : 'aborted';
    default:
      return 'paid';
  }
}
