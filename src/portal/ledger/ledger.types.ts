import type { PayeeId } from '../../kit/ids.ts';
import type { Currency } from '../../kit/money.ts';
import type { MovementKind } from '../../ledger/ledger.types.ts';
import type { Slice } from '../newest-first.types.ts';

/** A part of a list of the ledger; `kind` cuts it down. */
export interface LedgerList extends Slice {
  readonly payeeId: PayeeId;
  readonly kind: string | undefined;
}

/**
 * What a movement counts as, where people ask how a day went: in `volume` what issuers elsewhere have paid, less what went back
 * to them; in `spent` what was paid with stored value, less what went back onto it; in `sold` what stored value was sold and
 * loaded, less what was taken back of that.
 */
export type Figure = 'volume' | 'spent' | 'sold';

/** `sales`: volume and what was spent, which together are sales less refunds. */
export type SearchedFigure = Figure | 'sales';

/** Which movements are wanted. Undefined: whichever. */
export interface MovementSearch extends LedgerList {
  readonly currency: string | undefined;
  readonly figure: SearchedFigure | undefined;
}

/** An account as the portal lists it. Amounts in minor units, times ISO 8601 in UTC. */
export interface ListedAccount {
  readonly accountId: string;
  readonly kind: 'StoredValue' | 'External';
  readonly instrument: string;
  readonly issuer: string;
  readonly masked: string;
  /** Null for an external card, which takes any. */
  readonly currency: Currency | null;
  readonly available: number;
  readonly held: number;
  readonly createdAt: string;
  readonly closedAt: string | null;
  readonly isGiftCard: boolean;
}

/** One line of an account's statement. */
export interface AccountEntry {
  /** Number of the entry among the account's. */
  readonly sequence: number;
  readonly happenedAt: string;
  readonly movementId: string;
  readonly kind: MovementKind;
  readonly side: 'Available' | 'Held';
  /** Negative: money left the bucket. */
  readonly amount: number;
  /** What the bucket holds after it. */
  readonly balance: number;
  readonly currency: Currency;
  readonly paymentId: string | null;
  /** Of the payment order that the card has paid a part of. */
  readonly orderId: string | null;
  readonly orderNumber: number | null;
}

/** What an account held at an instant. */
export interface BalanceThen {
  readonly available: number;
  readonly held: number;
}

/** Names an account of a payee. */
export interface AccountName {
  readonly payeeId: PayeeId;
  readonly accountId: string;
}
