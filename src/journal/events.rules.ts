/** What an entry of the catalogue says of its events. */
interface CatalogueEntry {
  /** What it happens to: the `kind` of the event's resource. */
  readonly resource: string;
  /** The version that sent the first one. */
  readonly since: string;
  /** One sentence: what has happened when it is sent. */
  readonly when: string;
}

/**
 * Every type of event that there is, by resource. Append-only: a receiver that knows a type may meet it for ever, in the
 * feed. docs/webhooks.md, the OpenAPI document and the names in `locales/` follow from it, and tests hold them to it.
 */
const CATALOGUE = {
  'payment.authorized': { resource: 'payment', since: '0.1.0', when: 'An account payment was authorized.' },
  'payment.purchased': { resource: 'payment', since: '0.1.0', when: 'An account payment was made in one step.' },
  'payment.deposited': { resource: 'payment', since: '0.1.0', when: 'Money was deposited on an account.' },
  'payment.credited': { resource: 'payment', since: '0.1.0', when: 'Money was credited to an account.' },
  'payment.declined': { resource: 'payment', since: '0.1.0', when: 'The issuer declined an account payment.' },
  'payment.captured': { resource: 'payment', since: '0.1.0', when: 'Money of an authorization was captured.' },
  'payment.capture-declined': { resource: 'payment', since: '0.1.0', when: 'The issuer declined a capture.' },
  'payment.capture-taken-back': {
    resource: 'payment',
    since: '0.1.0',
    when: 'The issuer did not answer a capture; it counts as not done, and is taken back.',
  },
  'payment.cancelled': {
    resource: 'payment',
    since: '0.1.0',
    when: 'An authorization was cancelled, or a part of it.',
  },
  'payment.cancel-declined': { resource: 'payment', since: '0.1.0', when: 'The issuer declined a cancellation.' },
  'payment.cancel-taken-back': {
    resource: 'payment',
    since: '0.1.0',
    when: 'The issuer did not answer a cancellation; it counts as not done, and is taken back.',
  },
  'payment.reversed': {
    resource: 'payment',
    since: '0.1.0',
    when: 'Money was given back, or a payment that its issuer did not answer was taken back.',
  },
  'payment.reversal-declined': { resource: 'payment', since: '0.1.0', when: 'The issuer declined a reversal.' },
  'payment.reversal-taken-back': {
    resource: 'payment',
    since: '0.1.0',
    when: 'The issuer did not answer a reversal; it counts as not done, and is taken back.',
  },
  'payment.expired': { resource: 'payment', since: '0.1.0', when: 'The time of an authorization was over.' },
  'card-payment.created': { resource: 'card-payment', since: '0.1.0', when: 'A card payment was created.' },
  'card-payment.authorized': { resource: 'card-payment', since: '0.1.0', when: 'An authorization succeeded.' },
  'card-payment.authorization-failed': {
    resource: 'card-payment',
    since: '0.1.0',
    when: 'An authorization failed.',
  },
  'card-payment.verified': { resource: 'card-payment', since: '0.1.0', when: 'A verification succeeded.' },
  'card-payment.verification-failed': { resource: 'card-payment', since: '0.1.0', when: 'A verification failed.' },
  'card-payment.captured': { resource: 'card-payment', since: '0.1.0', when: 'A capture succeeded.' },
  'card-payment.capture-failed': { resource: 'card-payment', since: '0.1.0', when: 'A capture failed.' },
  'card-payment.cancelled': { resource: 'card-payment', since: '0.1.0', when: 'A cancellation succeeded.' },
  'card-payment.cancellation-failed': { resource: 'card-payment', since: '0.1.0', when: 'A cancellation failed.' },
  'card-payment.reversed': { resource: 'card-payment', since: '0.1.0', when: 'A reversal succeeded.' },
  'card-payment.reversal-failed': { resource: 'card-payment', since: '0.1.0', when: 'A reversal failed.' },
  'card-payment.taken-back': {
    resource: 'card-payment',
    since: '0.1.0',
    when: 'An issuer that had not answered confirmed that nothing is left of a transaction.',
  },
  'card-payment.aborted': { resource: 'card-payment', since: '0.1.0', when: 'An unpaid card payment was ended.' },
  'card-payment.expired': {
    resource: 'card-payment',
    since: '0.1.0',
    when: 'The time to pay a card payment was over.',
  },
  'card-payment.testing': {
    resource: 'card-payment',
    since: '0.1.0',
    when: 'Many different cards were declined on the pages of a payee: a stranger seems to try stolen numbers.',
  },
  'payment-order.created': { resource: 'payment-order', since: '0.1.0', when: 'A payment order was created.' },
  'payment-order.updated': {
    resource: 'payment-order',
    since: '0.1.0',
    when: 'The amount or the items of an unpaid payment order were changed.',
  },
  'payment-order.attempt-failed': {
    resource: 'payment-order',
    since: '0.1.0',
    when: 'A try to pay a payment order failed; the order may still be paid.',
  },
  'payment-order.paid': {
    resource: 'payment-order',
    since: '0.1.0',
    when: 'All of the amount of a payment order is authorized, or its card verified.',
  },
  'payment-order.failed': {
    resource: 'payment-order',
    since: '0.1.0',
    when: 'A payment order failed: it can no longer be paid.',
  },
  'payment-order.aborted': { resource: 'payment-order', since: '0.1.0', when: 'An unpaid payment order was ended.' },
  'payment-order.expired': {
    resource: 'payment-order',
    since: '0.1.0',
    when: 'The time to pay a payment order was over.',
  },
  'payment-order.captured': {
    resource: 'payment-order',
    since: '0.1.0',
    when: 'A capture of a payment order succeeded.',
  },
  'payment-order.cancelled': {
    resource: 'payment-order',
    since: '0.1.0',
    when: 'What was left of a payment order was cancelled.',
  },
  'payment-order.reversed': {
    resource: 'payment-order',
    since: '0.1.0',
    when: 'A reversal of a payment order succeeded.',
  },
  'payment-order.authorization-ended': {
    resource: 'payment-order',
    since: '0.1.0',
    when: 'The time of an authorization was over: what was left of its payment order was cancelled.',
  },
  'payment-order.capture-failed': {
    resource: 'payment-order',
    since: '0.1.0',
    when: 'A capture of a payment order failed; nothing of it was booked.',
  },
  'payment-order.cancellation-failed': {
    resource: 'payment-order',
    since: '0.1.0',
    when: 'A cancellation of a payment order failed; nothing of it was booked.',
  },
  'payment-order.reversal-failed': {
    resource: 'payment-order',
    since: '0.1.0',
    when: 'A reversal of a payment order failed; nothing of it was booked.',
  },
  'settlement.closed': {
    resource: 'settlement',
    since: '0.1.0',
    when: 'A business day of an agreement was closed: its sums stand.',
  },
  'settlement.different': {
    resource: 'settlement',
    since: '0.1.0',
    when: 'The acquirer counts other totals for a day, or a line of its file says something else of a transaction.',
  },
  'dispute.opened': { resource: 'dispute', since: '0.1.0', when: 'The holder of a card asked for money back.' },
  'dispute.changed': { resource: 'dispute', since: '0.1.0', when: 'A dispute went on, or came to its end.' },
  'gift-card.issued': {
    resource: 'gift-card',
    since: '0.1.0',
    when: 'A gift card was issued; its first deposit is in the event.',
  },
  'gift-card.imported': {
    resource: 'gift-card',
    since: '0.1.0',
    when: 'A gift card of another programme was taken over: its holder has it already.',
  },
  'gift-card.blocked': { resource: 'gift-card', since: '0.1.0', when: 'A gift card was blocked.' },
  'gift-card.unblocked': { resource: 'gift-card', since: '0.1.0', when: 'A gift card may be spent again.' },
  'gift-card.voided': { resource: 'gift-card', since: '0.1.0', when: 'An unused gift card was ended.' },
  'gift-card.merged': { resource: 'gift-card', since: '0.1.0', when: 'A gift card was emptied onto another one.' },
  'gift-card.received': { resource: 'gift-card', since: '0.1.0', when: 'A gift card got the money of another one.' },
  'gift-card.replaced': { resource: 'gift-card', since: '0.1.0', when: 'A new gift card took the place of this one.' },
  'gift-card.swept': {
    resource: 'gift-card',
    since: '0.1.0',
    when: 'The rest on an expired gift card was booked to the payee.',
  },
  'gift-card.extended': { resource: 'gift-card', since: '0.1.0', when: 'A gift card has another last day.' },
  'gift-card.restored': { resource: 'gift-card', since: '0.1.0', when: 'A gift card has what was swept of it again.' },
  'gift-card.guessed-at': {
    resource: 'gift-card',
    since: '0.1.0',
    when: 'Wrong codes of a gift card were entered on payment pages until these paused it, twice in 30 days.',
  },
  'gift-card.guessing': {
    resource: 'gift-card',
    since: '0.1.0',
    when: 'Most gift cards that were entered on the pages of a payee were wrong, and many were.',
  },
  'gift-card-limit.reached': {
    resource: 'gift-card-limit',
    since: '0.1.0',
    when: 'More was to be loaded on gift cards, or spent with them, than their product lets; nothing of it was done.',
  },
  'token.created': {
    resource: 'token',
    since: '0.1.0',
    when: 'A card payment made a payer token; an import tells nothing.',
  },
  'token.renamed': { resource: 'token', since: '0.1.0', when: 'A payer token got another display name.' },
  'token.updated': {
    resource: 'token',
    since: '0.1.0',
    when: 'The card of a payer token has another number or expiry.',
  },
  'token.archived': { resource: 'token', since: '0.1.0', when: 'A payer token was archived.' },
  'token.deleted': { resource: 'token', since: '0.1.0', when: 'A payer token was deleted.' },
  'pending-change.asked': {
    resource: 'pending-change',
    since: '0.1.0',
    when: 'A page of the portal asked for something that another person must agree to.',
  },
  'pending-change.approved': { resource: 'pending-change', since: '0.1.0', when: 'Another person agreed to it.' },
  'pending-change.refused': {
    resource: 'pending-change',
    since: '0.1.0',
    when: 'A second person refused it, or the person who asked withdrew it.',
  },
  'pending-change.completed': { resource: 'pending-change', since: '0.1.0', when: 'What was agreed to is done.' },
  'pending-change.impossible': {
    resource: 'pending-change',
    since: '0.1.0',
    when: 'What was agreed to has become impossible.',
  },
  'payee.suspended': {
    resource: 'payee',
    since: '0.1.0',
    when: 'The operator stopped the payee: with `state` `FollowUpsOnly` what was begun can be brought to its end.',
  },
  'payee.resumed': { resource: 'payee', since: '0.1.0', when: 'The payee takes payments again.' },
  'payee.closed': { resource: 'payee', since: '0.1.0', when: 'The operator stopped the payee for good.' },
  'access-token.expiring': {
    resource: 'access-token',
    since: '0.1.0',
    when: 'An access token ends within 30 days. One that was made for 30 days or less, and one of an OAuth client, tell nothing.',
  },
  'hmac-key.expiring': {
    resource: 'hmac-key',
    since: '0.1.0',
    when: 'An HMAC key ends within 30 days. One that was made for 30 days or less tells nothing.',
  },
  'oauth-client.expiring': {
    resource: 'oauth-client',
    since: '0.1.0',
    when: 'An OAuth client ends within 30 days. One that was made for 30 days or less tells nothing.',
  },
  'portal-user.closed': {
    resource: 'portal-user',
    since: '0.1.0',
    when: 'Ten wrong codes came with the right password of a portal user in a day: it is known to others. No code is looked at until a new password is set.',
  },
  'portal-user.second-factor-replaced': {
    resource: 'portal-user',
    since: '0.1.0',
    when: 'A portal user put another second factor in the place of theirs.',
  },
  'webhook.test': { resource: 'webhook', since: '0.1.0', when: 'A webhook was tried out; it goes to that one alone.' },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

export type EventType = keyof typeof CATALOGUE;

/** What events happen to. */
export type EventResource = (typeof CATALOGUE)[EventType]['resource'];

/** The catalogue, by type. */
export const EVENT_CATALOGUE: Readonly<Record<EventType, CatalogueEntry & { readonly resource: EventResource }>> =
  CATALOGUE;

/** All of them, in the order of the catalogue. */
export const EVENT_TYPES = Object.keys(EVENT_CATALOGUE) as readonly EventType[];

/** What a webhook may ask for: a type, or all of a resource, as in `payment.*`. */
export const EVENT_CHOICES: readonly string[] = [
  ...new Set(Object.values(EVENT_CATALOGUE).map(({ resource }) => `${resource}.*`)),
  ...EVENT_TYPES,
];

/** What an event happens to. */
export function resourceOf({ type }: { readonly type: EventType }): EventResource {
  return EVENT_CATALOGUE[type].resource;
}
