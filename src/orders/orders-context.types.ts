import type { AccountsContext } from '../accounts/accounts.types.ts';
import type { Find, Read, Transact } from '../db/transaction.types.ts';
import type { Kontor } from '../kontor.types.ts';
import type { AccountKey, Submit } from '../ledger/ledger.types.ts';
import type { PageOutcome } from '../payments/page/page.types.ts';
import type { CardPaymentKey } from '../payments/payments.types.ts';
import type { CardPaymentsContext } from '../payments/payments-context.types.ts';
import type { Closed, GiftCardAsked, GiftCardJudged, Guesser } from './guessing/guessing.types.ts';
import type { GiftCardEntry, OrderAsked } from './order-requests.types.ts';
import type {
  OfferKey,
  OrderKey,
  OrderView,
  StoredAtPage,
  StoredOffer,
  StoredOrder,
  Successor,
} from './orders.types.ts';

/** What the verbs of this slice need; it lives as long as the service. */
export interface OrdersContext extends Kontor {
  readonly cardPayments: CardPaymentsContext;
  readonly accounts: Pick<AccountsContext, 'lookUps' | 'turnoversOf' | 'restsToSpend'>;
  readonly submit: Submit;
  readonly read: Read;
  readonly findOffer: Find<OfferKey, StoredOffer>;
  /** Orders that are looked for in one turn travel in one statement. */
  readonly findStored: Find<OrderKey, StoredOrder>;
  /** The payment of a page with its order, in the same way. */
  readonly findAtPage: Find<CardPaymentKey, StoredAtPage>;
  readonly findSuccessor: Find<AccountKey, Successor>;
  /** What judges the gift cards that payers enter. */
  readonly judge: (asked: GiftCardAsked) => Promise<GiftCardJudged>;
  /** Whether an order takes gift cards from here: undefined where it does. */
  readonly closed: (asking: Pick<GiftCardAsked, 'order' | 'guesser'>) => Promise<Closed | undefined>;
}

/** What the flows of this slice need. */
export interface OrderFlows {
  readonly transact: Transact;
  readonly context: OrdersContext;
}

/** A gift card that a payer enters on the page. */
export interface AddGiftCardRequest extends OrderAsked {
  readonly entry: GiftCardEntry;
  readonly guesser: Guesser;
}

/** What a page is told of what its payer did. */
export interface OnPage {
  readonly outcome: PageOutcome;
  /** Where the outcome is `closed`. */
  readonly closed?: Closed;
  /** The order as this has left it. */
  readonly after?: OrderView | undefined;
}
