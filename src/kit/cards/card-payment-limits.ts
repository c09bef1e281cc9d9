/** The limits of card payments, each with its unit and its reason; the others are in `limits.ts`. */

/** Authorizations that may fail before a card payment has failed. */
export const CARD_TRIES = 3;
/**
 * Cards that may be declined on payment pages of one payee for one network (see `ONE_CUSTOMER`), in a window, and its seconds.
 * A person who tries stolen cards gets 960 a day from a network, and knows no link of another payee. A large office or
 * the shared addresses of a mobile operator get there only where a hundred payers and more pay the same payee within
 * half an hour: about one card in seven is declined. What is approved counts nothing, and who is stopped may use
 * another network.
 */
export const CARD_DECLINES_OF_NETWORK = 20;
export const CARD_DECLINES_OF_NETWORK_SECONDS = 1_800;
/** Characters of the name on a card. */
export const CARDHOLDER_CHARACTERS = 100;
/** Characters of an address of the payee's. */
export const URL_OF_PAYEE_CHARACTERS = 2000;
/** Members of `metadata`, and characters of their names and values. */
export const METADATA_MEMBERS = 50;
export const METADATA_NAME_CHARACTERS = 40;
export const METADATA_VALUE_CHARACTERS = 255;
/** Card payments whose time is over that one round of the job ends, and milliseconds between two rounds. */
export const EXPIRED_CARD_PAYMENTS = 100;
export const EXPIRED_CARD_PAYMENTS_INTERVAL_MS = 5_000;
/** Sealed cards that one round of the job looks after, and milliseconds between two rounds. */
export const SEALED_CARDS_SWEPT = 100;
export const SEALED_CARDS_INTERVAL_MS = 60_000;
/**
 * Days for which a card is held at most for what follows its payment, where its acquirer wants the number again: what
 * schemes allow for refunds and disputes ends before.
 */
export const HELD_CARD_DAYS = 540;
/** Held cards that one round of the job looks after, and milliseconds between two rounds. */
export const HELD_CARDS_LOOKED_AFTER = 100;
export const HELD_CARDS_INTERVAL_MS = 60_000;
