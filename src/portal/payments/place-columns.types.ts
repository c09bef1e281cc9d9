// Where payments and orders were made, for the stores of both. It stands among the types because a store imports no other store.

/** Where a row `p` was made, as the sales report tells sales apart: expressions of the columns of `Place`. */
export interface PlaceColumns {
  readonly shop: string;
  readonly site: string;
  readonly terminal: string;
}

// With a limit they are looked up row by row, whatever the planner knows of the tables.
const OF_ORDER = 'from payment_order o where o.payee_id = p.payee_id and o.order_id = p.order_id limit 1';
const SITE_OF_ORDER = `(select o.terms #>> '{payeeInfo,siteId}' ${OF_ORDER})`;
const SHOP_OF_ORDER = `(select o.terms #>> '{payeeInfo,payeeName}' ${OF_ORDER})`;

/** The terminal that the acquirer was told with what paid card payment `c`. */
const TERMINAL = `(
    select x.terminal_id from card_transaction k
    cross join lateral (
      select terminal_id from acquirer_exchange
      where payee_id = k.payee_id and attempt_id = k.attempt_id and kind = 'Ask' limit 1
    ) x
    where k.payee_id = c.payee_id and k.transaction_id = c.paid_by limit 1
  )`;

/** Of a card payment. */
export const CARD_PLACE: PlaceColumns = {
  shop: `coalesce(${SHOP_OF_ORDER}, p.terms #>> '{payeeInfo,payeeName}')`,
  site: SITE_OF_ORDER,
  terminal: `(select ${TERMINAL} from (select p.payee_id, p.paid_by) c)`,
};

/** Of an account payment. */
export const ACCOUNT_PLACE: PlaceColumns = {
  shop: `coalesce(${SHOP_OF_ORDER}, p.echo #>> '{words,merchant,merchantName}')`,
  site: SITE_OF_ORDER,
  terminal: `p.echo #>> '{words,merchant,terminalId}'`,
};

/** Of an order: the terminal of its card. */
export const ORDER_PLACE: PlaceColumns = {
  shop: `p.terms #>> '{payeeInfo,payeeName}'`,
  site: `p.terms #>> '{payeeInfo,siteId}'`,
  terminal: `(
    select ${TERMINAL} from card_payment c
    where c.payee_id = p.payee_id and c.payment_id = p.card_payment_id limit 1
  )`,
};
