import { LEG_STATES, type Leg, type StateTable } from '../../engine/leg.types.ts';
import type { PayeeId } from '../../kit/ids.ts';
import type { AmountMinor, Currency } from '../../kit/money.ts';
import { CARD_STATES, type CardState, SETTLED_CARD_STATES } from '../../payments/payments.types.ts';
import type { EndingSlice } from '../newest-first.types.ts';

/** Card payments of the hosted page and the API, and account payments. */
export type Family = 'card' | 'account';

/** One set of states for both families. `Pending`: an issuer has not answered yet. `Declined`: open, and an attempt was declined. */
export type ListedState = CardState | 'Declined';

type CardMember = 'state' | 'paidBy' | 'failedTries' | 'unsettled' | 'operation' | 'expiresAt' | 'now' | LegMember;
type LegMember = Exclude<keyof Leg, 'holdExpiresAt' | 'disputed'>;

/** An open payment whose payer has left after a decline stands open for weeks: lists say what happened. */
const withDeclined = (states: StateTable<CardState, CardMember>): StateTable<ListedState, CardMember> =>
  states.flatMap((line): StateTable<ListedState, CardMember> => {
    const [state, ...conditions] = line;
    return state === 'Open' ? [['Declined', ...conditions, [['failedTries'], '>', 0]], line] : [line];
  });

/** The states of a card payment; in the second table what waits for an answer has the state that it had before. */
export const LISTED_CARD_STATES = withDeclined(CARD_STATES);
export const SETTLED_LISTED_STATES = withDeclined(SETTLED_CARD_STATES);

/** The states of an account payment. A deposit or credit is carried out at once: there is nothing to capture. */
export const ACCOUNT_STATES: StateTable<ListedState, LegMember | 'state' | 'operation'> = [
  ['Failed', [['state'], '=', 'FAILED']],
  ['Reversed', [['state'], '=', 'REVERSED']],
  ['Completed', [['operation'], '=', 'Deposit'], [['reversed'], '=', 0]],
  ['Completed', [['operation'], '=', 'Credit'], [['reversed'], '=', 0]],
  ...LEG_STATES,
];
/**
 * What a list can be cut down to. A pending payment is listed with those that it was one of before. `Succeeded` are all
 * payments that an issuer has approved, whatever became of them; `Declined` all that were attempted and are not paid, in
 * whichever state. Credits are in neither: no payer pays them. `ToCapture` are those of which something is held until an instant,
 * those that end first in front.
 */
export type SearchedState = Exclude<ListedState, 'Pending'> | 'Succeeded' | 'ToCapture';

export type ListedKind = 'Authorize' | 'Purchase' | 'Deposit' | 'Credit' | 'Verify' | 'Recur' | 'UnscheduledPurchase';

/** A payment as the portal lists it. Amounts in minor units, times ISO 8601 in UTC. */
export interface ListedPayment extends Omit<Leg, 'amount' | 'holdExpiresAt'> {
  readonly paymentId: string;
  readonly family: Family;
  /** What people read to each other; null for an account payment. */
  readonly number: number | null;
  readonly kind: ListedKind;
  readonly state: ListedState;
  readonly currency: Currency;
  /** As asked for. */
  readonly amount: AmountMinor;
  /** What the issuer has approved of it. */
  readonly approved: AmountMinor;
  readonly orderReference: string | null;
  readonly reference: string | null;
  readonly payerReference: string | null;
  /** The card's masked number. */
  readonly masked: string | null;
  /** Code of the decline. */
  readonly problem: string | null;
  readonly shop: string | null;
  readonly site: string | null;
  readonly terminal: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** When what is held of it is released; null where nothing is, or its order says so. */
  readonly authorizedUntil: string | null;
  /** Whether that time has come: nothing can be captured, also where nothing has released it yet. */
  readonly isOver: boolean;
  /** Null for a card payment. */
  readonly accountId: string | null;
  /** The order that it is a leg of; null where it stands for itself. */
  readonly orderId: string | null;
}

/** Amounts from one to another, both included, in minor units. */
export interface AmountRange {
  readonly from: number;
  readonly to: number;
  /** Undefined: of whatever currency. */
  readonly currency: Currency | undefined;
}

/** Where a payment was made, as the sales report tells it apart; undefined: wherever. */
export interface Place {
  /** The payeeName of the payment or order, or the merchantName. */
  readonly shop: string | undefined;
  /** The siteId of the order. */
  readonly site: string | undefined;
  /** The terminal that the acquirer knows, or the terminalId. */
  readonly terminal: string | undefined;
}

/** What a list of payments is cut down to, beside its period. Undefined: whichever. */
export interface PaymentMatch {
  readonly state: SearchedState | undefined;
  readonly kind: ListedKind | undefined;
  readonly amount: AmountRange | undefined;
  /** Code of a decline: an attempt failed by it. */
  readonly problem: string | undefined;
  readonly place: Place | undefined;
}

/** What is searched for in place of a list: an id, a number or a reference, or the beginning of one. */
export interface SearchedText {
  readonly text: string;
  /** Whether what begins with it is found, too. */
  readonly alsoAsPrefix: boolean;
  /** The ids that begin with it; undefined where none can. */
  readonly ids: { readonly from: string; readonly to: string } | undefined;
  /** A whole number; undefined where it is none. */
  readonly number: number | undefined;
}

/** Which payments are wanted. */
export interface PaymentSearch extends EndingSlice {
  readonly payeeId: PayeeId;
  readonly families: readonly Family[];
  readonly match: PaymentMatch;
  /** Whether legs of orders are listed, too. */
  readonly hasLegs: boolean;
}

/** Whose payments, and what they are searched for by. */
export interface TextSearch {
  readonly payeeId: PayeeId;
  readonly families: readonly Family[];
  readonly searched: SearchedText;
}

/** How many rows there are, as far as they were counted. */
export interface Count {
  readonly count: number;
  /** Whether there are more than that, or may be. */
  readonly isMore: boolean;
}

/** A group of rows that an index has together, newest first. No leg of an order is among them. */
export interface CardGroup {
  readonly state: 'Ready' | 'Failed' | 'Aborted';
  readonly isUnpaid: boolean;
  readonly operation: string;
}
export interface AccountGroup {
  readonly state: 'OK' | 'FAILED' | 'REVERSED';
  readonly operation: string;
}

/** What rows that are looked at must be. Undefined: whichever. */
export interface Sieve extends Pick<PaymentMatch, 'amount' | 'problem' | 'place'> {
  readonly states: readonly ListedState[] | undefined;
  readonly kinds: readonly ListedKind[];
}

/**
 * How a family's rows are found. In their `order` also legs of orders are. `groups` are walked in an index. Else rows are looked at one after the other, up to a
 * limit, and held against a sieve: all, or those that an index keeps together: with `reversed` those of which something was
 * given back, with `tried` those of which an attempt was declined, with `declined` the unpaid ones of these,
 * with `ending` those of which something is held, by its end.
 */
export type Way<Group> =
  | { readonly by: 'order' }
  | { readonly by: 'groups'; readonly groups: readonly Group[] }
  | { readonly by: LookedWay; readonly sieve: Sieve };

export type LookedWay = 'reversed' | 'tried' | 'declined' | 'ending' | 'looked';
