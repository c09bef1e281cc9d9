import type { Place } from './payments.types.ts';

/** A member of what the order of leg `p` was made with. With a limit it is looked up row by row, whatever the planner knows of the tables. */
const ofOrder = (member: string) => `(
    select o.terms #>> '{payeeInfo,${member}}' from payment_order o
    where o.payee_id = p.payee_id and o.order_id = p.order_id limit 1
  )`;

/** Where a payment `p` was made: columns of `Place`, as the sales report tells sales apart. */
export interface PlaceColumns {
  readonly shop: string;
  readonly site: string;
  readonly terminal: string;
}
export const CARD_PLACE: PlaceColumns = {
  shop: `coalesce(${ofOrder('payeeName')}, p.terms #>> '{payeeInfo,payeeName}')`,
  site: ofOrder('siteId'),
  terminal: terminalOf('p'),
};
export const ACCOUNT_PLACE: PlaceColumns = {
  shop: `coalesce(${ofOrder('payeeName')}, p.echo #>> '{words,merchant,merchantName}')`,
  site: ofOrder('siteId'),
  terminal: `p.echo #>> '{words,merchant,terminalId}'`,
};

/** The terminal that the acquirer was told with what paid a card payment. */
function terminalOf(cardPayment: string): string {
  return `(
    select x.terminal_id from card_transaction k
    cross join lateral (
      select terminal_id from acquirer_exchange
      where payee_id = k.payee_id and attempt_id = k.attempt_id and kind = 'Ask' limit 1
    ) x
    where k.payee_id = ${cardPayment}.payee_id and k.transaction_id = ${cardPayment}.paid_by limit 1
  )`;
}

/** The columns of a place, as the types name them. */
export const shownPlace = ({ shop, site, terminal }: PlaceColumns): string =>
  `${shop} as shop, ${site} as site, ${terminal} as terminal`;

/** Where an order `p` was made. */
export const ORDER_PLACE: PlaceColumns = {
  shop: `p.terms #>> '{payeeInfo,payeeName}'`,
  site: `p.terms #>> '{payeeInfo,siteId}'`,
  terminal: `(
    select ${terminalOf('c')} from card_payment c
    where c.payee_id = p.payee_id and c.payment_id = p.card_payment_id limit 1
  )`,
};

/** Whether a row was made at the place of the parameters `$14` to `$16`, null: wherever. */
export const placeMatches = ({ shop, site, terminal }: PlaceColumns): string =>
  `($14::text is null or ${shop} = $14::text) and ($15::text is null or ${site} = $15::text)
          and ($16::text is null or ${terminal} = $16::text)`;

/** The values of these parameters. */
export const placeValues = (place: Place | undefined): readonly (string | null)[] => [
  place?.shop ?? null,
  place?.site ?? null,
  place?.terminal ?? null,
];
