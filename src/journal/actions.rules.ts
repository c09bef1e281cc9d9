/** What an entry of the catalogue says of an action. */
interface CatalogueEntry {
  /** What it is done to. */
  readonly object: string;
  /** The version that wrote the first one. */
  readonly since: string;
  /** One sentence: what was done. */
  readonly what: string;
}

/**
 * Every action of the audit trail, by what it is done to. Append-only: the trail keeps what it has. docs/audit-trail.md and
 * the names in `locales/` follow from it, and tests hold them to it.
 */
const CATALOGUE = {
  'create-access-token': { object: 'access-token', since: '0.1.0', what: 'An access token was made.' },
  'create-portal-credentials': {
    object: 'access-token',
    since: '0.1.0',
    what: 'A page of the portal was given credentials to call the API with.',
  },
  'refuse-access-token': {
    object: 'access-token',
    since: '0.1.0',
    what: 'A request was refused whose access token was revoked or had expired.',
  },
  'revoke-access-token': { object: 'access-token', since: '0.1.0', what: 'An access token was revoked.' },
  'rotate-access-token': { object: 'access-token', since: '0.1.0', what: 'An access token was replaced by a new one.' },
  'block-gift-card': { object: 'account', since: '0.1.0', what: 'A gift card was blocked.' },
  'merge-gift-card': { object: 'account', since: '0.1.0', what: 'A gift card was emptied onto another one.' },
  'note-wrong-code': {
    object: 'account',
    since: '0.1.0',
    what: 'A wrong code or expiry date was counted against an account.',
  },
  'open-account': { object: 'account', since: '0.1.0', what: 'An account was opened.' },
  'replace-gift-card': {
    object: 'account',
    since: '0.1.0',
    what: 'A new gift card was put in the place of a lost one.',
  },
  'show-new-gift-card-again': {
    object: 'account',
    since: '0.1.0',
    what: 'The numbers of a new gift card were shown once more.',
  },
  'sweep-gift-card': {
    object: 'account',
    since: '0.1.0',
    what: 'The rest on an expired gift card was booked to the payee.',
  },
  'extend-gift-card': { object: 'account', since: '0.1.0', what: 'A gift card got another last day.' },
  'restore-gift-card': { object: 'account', since: '0.1.0', what: 'A gift card got back what was swept of it.' },
  'unblock-gift-card': { object: 'account', since: '0.1.0', what: 'The block of a gift card was ended.' },
  'void-gift-card': { object: 'account', since: '0.1.0', what: 'An unused gift card was ended.' },
  'rotate-callback-secret': {
    object: 'callback-secret',
    since: '0.1.0',
    what: 'The callback secret was replaced by a new one.',
  },
  'show-callback-secret': { object: 'callback-secret', since: '0.1.0', what: 'The callback secret was shown.' },
  'abort-card-payment': { object: 'card-payment', since: '0.1.0', what: 'An unpaid card payment was ended.' },
  'leave-payment-page': {
    object: 'card-payment',
    since: '0.1.0',
    what: 'A payer left the payment page; an authentication that waited was given up.',
  },
  'authorize-card-payment': { object: 'card-payment', since: '0.1.0', what: 'The authorization of a card was begun.' },
  'cancel-card-payment': {
    object: 'card-payment',
    since: '0.1.0',
    what: 'The cancellation of a card payment was begun.',
  },
  'capture-card-payment': { object: 'card-payment', since: '0.1.0', what: 'The capture of a card payment was begun.' },
  'create-card-payment': { object: 'card-payment', since: '0.1.0', what: 'A card payment was created.' },
  'expire-card-payment': { object: 'card-payment', since: '0.1.0', what: 'The time to pay a card payment was over.' },
  'fail-over-card-payment': {
    object: 'card-payment',
    since: '0.1.0',
    what: 'Another acquirer was asked for a card payment, because the one before was not.',
  },
  'finish-authentication': { object: 'card-payment', since: '0.1.0', what: 'The authentication of a payer ended.' },
  'reverse-card-payment': { object: 'card-payment', since: '0.1.0', what: 'The reversal of a card payment was begun.' },
  'settle-card-payment': {
    object: 'card-payment',
    since: '0.1.0',
    what: "An issuer's answer about a card payment was stored.",
  },
  'take-back-attempt': {
    object: 'card-payment',
    since: '0.1.0',
    what: 'An issuer confirmed that it took a transaction back.',
  },
  'verify-card-payment': { object: 'card-payment', since: '0.1.0', what: 'The verification of a card was begun.' },
  'create-gift-card-product': { object: 'gift-card-product', since: '0.1.0', what: 'A gift card product was made.' },
  'change-gift-card-product': {
    object: 'gift-card-product',
    since: '0.1.0',
    what: 'A limit or another setting of a gift card product was changed.',
  },
  'reach-gift-card-limit': {
    object: 'gift-card-product',
    since: '0.1.0',
    what: 'A limit of a gift card product stopped a deposit, a sale or a payment.',
  },
  'retire-gift-card-product': {
    object: 'gift-card-product',
    since: '0.1.0',
    what: 'A gift card product was taken off sale.',
  },
  'create-hmac-key': { object: 'hmac-key', since: '0.1.0', what: 'An HMAC key was made.' },
  'revoke-hmac-key': { object: 'hmac-key', since: '0.1.0', what: 'An HMAC key was revoked.' },
  'rotate-hmac-key': { object: 'hmac-key', since: '0.1.0', what: 'An HMAC key was replaced by a new one.' },
  'activate-key': { object: 'key', since: '0.1.0', what: 'A key of the key ring was taken into use.' },
  'destroy-key': { object: 'key', since: '0.1.0', what: 'A key of the key ring was destroyed.' },
  'export-key': { object: 'key', since: '0.1.0', what: 'A key of the key ring was exported.' },
  'import-key': { object: 'key', since: '0.1.0', what: 'A key of the key ring was imported.' },
  'retire-key': { object: 'key', since: '0.1.0', what: 'A key of the key ring was retired.' },
  'seal-key': {
    object: 'key',
    since: '0.1.0',
    what: 'A key of the key ring was sealed where the ring lies, with a passphrase.',
  },
  'create-oauth-client': { object: 'oauth-client', since: '0.1.0', what: 'An OAuth client was made.' },
  'revoke-oauth-client': { object: 'oauth-client', since: '0.1.0', what: 'An OAuth client was revoked.' },
  'refuse-oauth-client': {
    object: 'oauth-client',
    since: '0.1.0',
    what: 'An OAuth client was refused: its secret was wrong, or it was revoked.',
  },
  'apply-migrations': {
    object: 'installation',
    since: '0.1.0',
    what: 'The database was brought up to a version. Such rows, and those of starts and stops, are the operators’.',
  },
  'start-service': { object: 'installation', since: '0.1.0', what: 'A process of the service began to serve.' },
  'stop-service': { object: 'installation', since: '0.1.0', what: 'A process of the service stopped.' },
  'create-payee': { object: 'payee', since: '0.1.0', what: 'A payee was made.' },
  'export-activity': { object: 'payee', since: '0.1.0', what: 'The audit trail of a payee was downloaded.' },
  'list-activity': { object: 'payee', since: '0.1.0', what: 'The audit trail of a payee was looked at.' },
  'visit-payee': {
    object: 'payee',
    since: '0.1.0',
    what: 'An operator looked at what is a payee’s in the portal, in an hour of the clock.',
  },
  'refuse-signature': {
    object: 'payee',
    since: '0.1.0',
    what: 'A request with a valid access token was refused for its signature.',
  },
  'refuse-stranger': {
    object: 'payee',
    since: '0.1.0',
    what: "A caller without a known credential was refused. Such rows are the operators'.",
  },
  'abandon-attempt': {
    object: 'payee',
    since: '0.1.0',
    what: 'What an acquirer does not acknowledge was given up by hand.',
  },
  'retry-background-work': {
    object: 'payee',
    since: '0.1.0',
    what: 'A row that background work had set aside was put back.',
  },
  'set-time-zone': {
    object: 'payee',
    since: '0.1.0',
    what: 'Where the days of a payee begin was set.',
  },
  'suspend-payee': {
    object: 'payee',
    since: '0.1.0',
    what: 'A payee was stopped: nothing new begins for it.',
  },
  'resume-payee': { object: 'payee', since: '0.1.0', what: 'A suspended payee goes on.' },
  'close-payee': { object: 'payee', since: '0.1.0', what: 'A payee was stopped for good.' },
  'set-giving-limits': {
    object: 'payee',
    since: '0.1.0',
    what: 'How much people of a payee give away by the portal was set.',
  },
  'change-order-settings': {
    object: 'payee',
    since: '0.1.0',
    what: 'What a payee has settled about its orders was changed.',
  },
  'erase-payer': {
    object: 'payee',
    since: '0.1.0',
    what: 'What was known of a payer was erased; `payer` is a keyed digest of the reference or e-mail address.',
  },
  'authorize-payment': { object: 'payment', since: '0.1.0', what: 'An account payment was authorized, or declined.' },
  'cancel-payment': { object: 'payment', since: '0.1.0', what: 'An authorization was cancelled, or a part of it.' },
  'capture-payment': { object: 'payment', since: '0.1.0', what: 'Money of an authorization was captured.' },
  'credit-payment': { object: 'payment', since: '0.1.0', what: 'Money was credited to an account.' },
  'deposit-on-gift-card': { object: 'payment', since: '0.1.0', what: 'Money was deposited on a gift card.' },
  'deposit-payment': { object: 'payment', since: '0.1.0', what: 'Money was deposited on an account.' },
  'expire-hold': { object: 'payment', since: '0.1.0', what: 'The time of an authorization was over.' },
  'import-gift-card': { object: 'payment', since: '0.1.0', what: 'A gift card from elsewhere was imported.' },
  'issue-gift-card': { object: 'payment', since: '0.1.0', what: 'A gift card was issued, with its first deposit.' },
  'purchase-payment': {
    object: 'payment',
    since: '0.1.0',
    what: 'An account payment was made in one step, or declined.',
  },
  'reversal-payment': { object: 'payment', since: '0.1.0', what: 'Money of an account payment was given back.' },
  'fail-over-payment': {
    object: 'payment',
    since: '0.1.0',
    what: 'Another acquirer was asked for an account payment, because the one before was not.',
  },
  'settle-attempt': {
    object: 'payment',
    since: '0.1.0',
    what: "An issuer's answer about an account payment was stored.",
  },
  'create-payment-order': { object: 'payment-order', since: '0.1.0', what: 'A payment order was created.' },
  'update-payment-order': {
    object: 'payment-order',
    since: '0.1.0',
    what: 'The amount or the items of an unpaid payment order were changed.',
  },
  'set-order-instrument': {
    object: 'payment-order',
    since: '0.1.0',
    what: 'The only means of payment of an order was changed, or the one that the page opens first.',
  },
  'abort-payment-order': { object: 'payment-order', since: '0.1.0', what: 'An unpaid payment order was ended.' },
  'expire-payment-order': {
    object: 'payment-order',
    since: '0.1.0',
    what: 'The time to pay a payment order was over.',
  },
  'add-gift-card': { object: 'payment-order', since: '0.1.0', what: 'A payer added a gift card to a payment order.' },
  'remove-gift-card': {
    object: 'payment-order',
    since: '0.1.0',
    what: 'A payer removed a gift card from a payment order.',
  },
  'pay-payment-order': { object: 'payment-order', since: '0.1.0', what: 'A payer paid a payment order, or began to.' },
  'release-gift-cards': {
    object: 'payment-order',
    since: '0.1.0',
    what: 'What was held of gift cards for an unpaid payment order went back.',
  },
  'capture-payment-order': {
    object: 'payment-order',
    since: '0.1.0',
    what: 'The capture of a payment order was begun.',
  },
  'cancel-payment-order': {
    object: 'payment-order',
    since: '0.1.0',
    what: 'The cancellation of what was left of a payment order was begun.',
  },
  'reverse-payment-order': {
    object: 'payment-order',
    since: '0.1.0',
    what: 'The reversal of a payment order was begun.',
  },
  'settle-payment-order': {
    object: 'payment-order',
    since: '0.1.0',
    what: "An issuer's answer about a payment order was stored.",
  },
  'ask-pending-change': {
    object: 'pending-change',
    since: '0.1.0',
    what: 'A page of the portal asked for what another person must agree to.',
  },
  'approve-pending-change': {
    object: 'pending-change',
    since: '0.1.0',
    what: 'Another person agreed to a pending change.',
  },
  'refuse-pending-change': {
    object: 'pending-change',
    since: '0.1.0',
    what: 'A pending change was refused, or withdrawn.',
  },
  'complete-pending-change': {
    object: 'pending-change',
    since: '0.1.0',
    what: 'A pending change that was agreed to was carried out.',
  },
  'fail-pending-change': {
    object: 'pending-change',
    since: '0.1.0',
    what: 'A pending change that was agreed to had become impossible.',
  },
  'accept-invitation': { object: 'portal-user', since: '0.1.0', what: 'An invitation to the portal was accepted.' },
  'close-portal-user': {
    object: 'portal-user',
    since: '0.1.0',
    what: 'A portal user was closed: too many wrong codes had come with the right password.',
  },
  'change-password': { object: 'portal-user', since: '0.1.0', what: 'A portal user changed their password.' },
  'change-portal-user': {
    object: 'portal-user',
    since: '0.1.0',
    what: 'The name or role of a portal user was changed.',
  },
  'create-portal-user': { object: 'portal-user', since: '0.1.0', what: 'A portal user was added.' },
  'disable-idle-portal-user': {
    object: 'portal-user',
    since: '0.1.0',
    what: 'A portal user was disabled who had not signed in for long.',
  },
  'disable-portal-user': { object: 'portal-user', since: '0.1.0', what: 'A portal user was disabled.' },
  'enable-portal-user': { object: 'portal-user', since: '0.1.0', what: 'A portal user was enabled again.' },
  'invite-portal-user': { object: 'portal-user', since: '0.1.0', what: 'A portal user was sent a new invitation.' },
  reauthenticate: { object: 'portal-user', since: '0.1.0', what: 'A portal user gave their password again.' },
  'refuse-reauthenticate': {
    object: 'portal-user',
    since: '0.1.0',
    what: 'A portal user gave a wrong password or code when asked for it again.',
  },
  'refuse-sign-in': { object: 'portal-user', since: '0.1.0', what: 'A sign-in to the portal was refused.' },
  'renew-recovery-codes': { object: 'portal-user', since: '0.1.0', what: 'A portal user got new recovery codes.' },
  'set-up-second-factor': { object: 'portal-user', since: '0.1.0', what: 'A portal user set up a second factor.' },
  'sign-in': { object: 'portal-user', since: '0.1.0', what: 'A portal user signed in.' },
  'sign-out': { object: 'portal-user', since: '0.1.0', what: 'A portal user signed out.' },
  'close-settlement': { object: 'settlement', since: '0.1.0', what: 'A business day of an agreement was closed.' },
  'reconcile-settlement': {
    object: 'settlement',
    since: '0.1.0',
    what: "An acquirer's answer about the totals of a day was stored.",
  },
  'import-settlement-batch': {
    object: 'settlement-batch',
    since: '0.1.0',
    what: "A batch of an acquirer's settlement file was imported, by a command or in the portal; `details` name the file and its SHA-256.",
  },
  'cure-difference': {
    object: 'settlement-difference',
    since: '0.1.0',
    what: 'A later line of a settlement file ended a difference.',
  },
  'resolve-difference': { object: 'settlement-difference', since: '0.1.0', what: 'A person ended a difference.' },
  'reopen-difference': {
    object: 'settlement-difference',
    since: '0.1.0',
    what: 'The batch that had ended a difference was withdrawn: it is open again.',
  },
  'mark-payout': {
    object: 'settlement-batch',
    since: '0.1.0',
    what: "A person noted that a payout stands on the bank's statement, or took that back.",
  },
  'withdraw-settlement-batch': {
    object: 'settlement-batch',
    since: '0.1.0',
    what: 'A batch of a wrong settlement file was withdrawn, and what it had booked was taken back.',
  },
  'open-dispute': { object: 'dispute', since: '0.1.0', what: 'The holder of a card asked for money back.' },
  'change-dispute': { object: 'dispute', since: '0.1.0', what: 'A dispute went on, or came to its end.' },
  'archive-token': { object: 'token', since: '0.1.0', what: 'A payer token was archived.' },
  'create-token': { object: 'token', since: '0.1.0', what: 'A card payment made a payer token.' },
  'delete-token': { object: 'token', since: '0.1.0', what: 'A payer token was deleted.' },
  'import-token': { object: 'token', since: '0.1.0', what: 'A payer token from elsewhere was imported.' },
  'update-token': { object: 'token', since: '0.1.0', what: 'The card of a payer token got another number or expiry.' },
  'rename-token': { object: 'token', since: '0.1.0', what: 'A payer token got another display name.' },
  'change-webhook': { object: 'webhook', since: '0.1.0', what: 'A webhook was changed, enabled, disabled or deleted.' },
  'create-webhook': { object: 'webhook', since: '0.1.0', what: 'A webhook was made.' },
  'disable-webhook': {
    object: 'webhook',
    since: '0.1.0',
    what: 'A webhook was disabled, because its address answered that it is gone.',
  },
  'redeliver-event': { object: 'webhook', since: '0.1.0', what: 'An event was delivered once more.' },
  'resume-webhook': { object: 'webhook', since: '0.1.0', what: 'A suspended webhook took a delivery again.' },
  'rotate-webhook-secret': {
    object: 'webhook',
    since: '0.1.0',
    what: 'The secret of a webhook was replaced by a new one.',
  },
  'suspend-webhook': { object: 'webhook', since: '0.1.0', what: 'A webhook was suspended, because it took nothing.' },
  'test-webhook': { object: 'webhook', since: '0.1.0', what: 'A webhook was tried out.' },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

/** A verb of the domain, as in `archive-token`. */
export type AuditAction = keyof typeof CATALOGUE;

/** What things are done to. */
export type AuditObject = (typeof CATALOGUE)[AuditAction]['object'];

/** The catalogue, by action. */
export const ACTION_CATALOGUE: Readonly<Record<AuditAction, CatalogueEntry & { readonly object: AuditObject }>> =
  CATALOGUE;

/** What an action is done to. */
export function objectOf({ action }: { readonly action: AuditAction }): AuditObject {
  return ACTION_CATALOGUE[action].object;
}
