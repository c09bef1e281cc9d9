/** The limits of payment orders, each with its unit and its reason; the others are in `limits.ts`. */

/** Bytes of a body about an order: 500 items of 500 bytes each. */
export const ORDER_BODY_BYTES = 256 * 1024;
/** Names in one `$expand` of an order: there are 17 sub-resources, and clients ask for all of them. */
export const ORDER_EXPAND_NAMES = 20;
/** Lines of an order; a weekly shop has a hundred. */
export const ORDER_ITEMS = 500;
/** Characters of each text of a line, and of each address in it. */
export const ORDER_ITEM_CHARACTERS = 128;
export const ORDER_ITEM_URL_CHARACTERS = 512;
/** Instruments that a request names: more than clients know of. */
export const ORDER_INSTRUMENTS = 40;
/** Characters of the name of an instrument. */
export const ORDER_INSTRUMENT_CHARACTERS = 64;
/** Entries of `items`: one for each kind of instrument that a client knows of. */
export const ORDER_MENU_ITEMS = 20;
/** Parts that a capture or reversal names itself: as many as an order has legs, and some that it has not. */
export const ORDER_PARTS = 10;
