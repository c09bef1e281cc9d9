import type { Actor } from '../../kit/caller.ts';
import type { SeenSplit } from '../payment-commands.types.ts';
import type { CardPayment } from '../payments.types.ts';
import type { PageState, Undone } from './page.types.ts';

/** A means of payment on the menu of a page. */
export type MenuInstrument = 'CreditCard' | 'GiftCard';

/** A gift card, or prepaid account, that pays a part. Minor units. */
export interface ShownGiftCard {
  readonly legId: string;
  readonly lastFour: string;
  readonly amount: number;
  /** What is on it once that is paid. */
  readonly left: number;
}

/** A line of what is bought. */
export interface MenuItem {
  readonly name: string;
  readonly quantity: number;
  readonly quantityUnit: string;
  readonly amount: number;
}

/** What surrounds a card payment that pays a part of an order. Minor units. */
export interface Menu {
  /** Of the order, as its resource: `/psp/paymentorders/…`. */
  readonly id: string;
  /** What the order says of itself; undefined where it is as its card payment says. */
  readonly state: PageState | undefined;
  readonly undone: Undone | undefined;
  readonly isEndedByPayer: boolean;
  readonly total: number;
  readonly reversed: number;
  /** When all of it was paid; ISO 8601. */
  readonly paidAt: string | undefined;
  readonly items: readonly MenuItem[];
  /** In the order in which they are offered: one of them at least. */
  readonly instruments: readonly MenuInstrument[];
  /** The one that is open at first. */
  readonly opened: MenuInstrument | undefined;
  /** In the order added. */
  readonly giftCards: readonly ShownGiftCard[];
  /** What is left for a card. */
  readonly byCard: number;
  /** Until when what gift cards pay is kept for this payer; undefined where nothing is held. */
  readonly keptUntil: string | undefined;
  /** `Open`: another gift card may be entered. `Full`: there are as many as there may be. `Closed`: too many were wrong. */
  readonly entry: 'Open' | 'Full' | 'Closed';
  /** What the script works on before an entry; undefined where it need not. */
  readonly nonce: string | undefined;
  /** Whether the payer is asked if the card may be stored; else they are told. */
  readonly asksConsent: boolean;
}

/** What the page of an order is told. */
export type PageOutcome =
  | 'ok'
  | 'changed'
  | 'busy'
  | 'declined'
  | 'ended'
  | 'notusable'
  | 'expired'
  | 'empty'
  | 'currency'
  | 'notallowed'
  | 'alreadyadded'
  | 'toomany'
  | 'closed';

/** A payer on the page of an order. */
export interface PayerAtMenu {
  readonly payment: CardPayment;
  readonly actor: Actor;
  /** As the socket gives it. */
  readonly remoteAddress: string;
}

/** What became of what a payer did. */
export interface MenuAnswer {
  readonly outcome: PageOutcome;
  /** Seconds after which it may be tried again. */
  readonly retryAfterSeconds?: number | undefined;
}

/** What the page asks of orders, which card payments do not know: a port. */
export interface OrderPages {
  /** What surrounds a payment of an order. */
  open(payer: Omit<PayerAtMenu, 'actor'>): Promise<Menu>;
  /** Notes that the page was opened, the first time that it is. */
  noteOpened(payer: PayerAtMenu & { readonly isFramed: boolean }): Promise<void>;
  /** Adds a gift card. Number and code are told to no other, and live as long as the request. */
  add(
    payer: PayerAtMenu & { readonly number: string; readonly code: string; readonly proof: string | undefined },
  ): Promise<MenuAnswer>;
  remove(payer: PayerAtMenu & { readonly legId: string }): Promise<MenuAnswer>;
  /** Pays with gift cards alone. `key` names the form, so that it is sent once. */
  pay(payer: PayerAtMenu & { readonly seen: SeenSplit; readonly key: string | undefined }): Promise<MenuAnswer>;
  /** Ends an order whose payer does not want to pay it. */
  cancel(payer: PayerAtMenu): Promise<void>;
}
