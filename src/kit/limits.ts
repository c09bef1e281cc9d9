/**
 * Limits that several files share, each with its unit and its reason. A limit of one file stands in that file. What an
 * operator may change is in `config.ts` instead.
 */

/** Bytes of a request body: sixteen times the largest sensible one. */
export const BODY_BYTES = 64 * 1024;
/** Bytes of a request's header block: Node's own limit, written out so that it does not change under us. */
export const HEADER_BYTES = 16 * 1024;
/** Characters of a request target. */
export const URL_CHARACTERS = 4 * 1024;
/**
 * Characters of a text whose schema asks for a form and names no length, before that form is looked at: more than twice
 * the longest of them.
 */
export const FORMED_TEXT_CHARACTERS = 256;
/** Characters of an `Idempotency-Key`: a UUID has 36. */
export const IDEMPOTENCY_KEY_CHARACTERS = 64;
/** Characters that are kept of a User-Agent. */
export const USER_AGENT_CHARACTERS = 256;

/** Tokens in one page of a payer's list. */
export const PAGE_TOKENS = 1000;
/** Characters of a payer reference. */
export const PAYER_REFERENCE_CHARACTERS = 128;
/** Characters of a token's display name, after trimming. */
export const DISPLAY_NAME_CHARACTERS = 100;
/** Characters of the description of an account payment. */
export const DESCRIPTION_CHARACTERS = 255;
/** Characters of a reason or a comment. */
export const REASON_CHARACTERS = 255;

/** Milliseconds that a positive answer about an access token may be reused: a revoked one stops within a second. */
export const ACCESS_TOKEN_CACHE_MS = 800;
/** Characters of the nonce in an `Hmac` header, at least and at most: from 64 random bits up, and few enough to store. */
export const LEAST_NONCE_CHARACTERS = 16;
export const NONCE_CHARACTERS = 64;
/** Seconds that `Transmission-Time` may differ from our clock: what clocks drift and requests wait, little to replay in. */
export const TRANSMISSION_TIME_SECONDS = 300;
/** Characters of the name of a payee or a credential, after trimming: a line in a list. */
export const NAME_CHARACTERS = 100;
/** Days before its end that a credential counts as expiring: an event and `doctor` tell of it. */
export const EXPIRING_DAYS = 30;
/** Months after the end of an order or a card payment for which it is known who paid it. */
export const PAYER_MONTHS = 12;
/** Rows that one look for a person opens at a time. */
export const PERSON_ROWS = 1000;
/** Rows that one round of forgetting deletes from a table, so that it never holds locks for long. */
export const FORGET_ROWS = 1000;
/** Milliseconds between two rounds of forgetting: often enough that a round is small. */
export const FORGET_INTERVAL_MS = 60_000;
/** Ends of processes while a row is under way after which it is not suspected yet: that may be chance, or a kill. */
export const ROW_CRASHES_OF_CHANCE = 1;
/** Ends of processes in a row while a row is under way, after which it is set aside: with their pauses, a quarter of an hour. */
export const ROW_CRASHES = 9;
/** Parameters in a form-urlencoded body: no OAuth request has more than six. */
export const FORM_PARAMETERS = 20;
/** Characters of one value in a form-urlencoded body: ten times the longest token of ours. */
export const FORM_VALUE_CHARACTERS = 1024;

/** Keys that one grouped read puts into one statement. */
export const GROUP_READ_KEYS = 256;

/** Milliseconds. The order is database < handler < proxy < client, so that the one that gives up first knows why. */
export const CONNECT_TIMEOUT_MS = 2_000;
export const LOCK_TIMEOUT_MS = 2_000;
export const STATEMENT_TIMEOUT_MS = 5_000;
export const IDLE_TRANSACTION_TIMEOUT_MS = 5_000;
/** How long an idle connection is kept. */
export const IDLE_CONNECTION_MS = 60_000;
export const HANDLER_TIMEOUT_MS = 10_000;
export const HEADERS_TIMEOUT_MS = 10_000;
export const REQUEST_TIMEOUT_MS = 15_000;
/**
 * Milliseconds in which not a byte went either way while a request is answered: a client that reads nothing is cut off.
 */
export const STALLED_SOCKET_MS = 30_000;

/** Milliseconds between two looks at a server that starts or stops: its start takes about 30. */
export const EMBEDDED_POLL_MS = 20;

/** Rows that a key rotation moves in one transaction: few enough that no request notices its locks. */
export const KEY_MOVE_ROWS = 500;
/** Rows that are counted to show a rotation's progress; more take longer than a statement may. */
export const KEY_COUNT_ROWS = 1_000_000;

/** Digits of a card range's prefix: the longest issuer number (ISO/IEC 7812-1). */
export const CARD_RANGE_DIGITS = 8;
/** Lines of a card-range file that are written by one statement. */
export const CARD_RANGE_BATCH_LINES = 1000;

/** Holds of one account that a batch releases when their time is over; more are released by the next ones. */
export const EXPIRED_HOLDS = 100;

/** System trace audit numbers that an instance takes at once: few are lost with it, and few round trips are made. */
export const STAN_BLOCK = 100;
/** Times that an acquirer is told to acknowledge something before a person is to look: about two minutes. */
export const UNACKNOWLEDGED_TRIES = 6;
/**
 * Wrong cvc or expiry values that close a card for the caller who gave them: 5 in half an hour, or 10 in a day, for a day.
 * A caller that stays below the first guesses no more than 10 of the 1 000 codes a day: one in a hundred.
 */
export const WRONG_CODES = 5;
export const WRONG_CODE_WINDOW_SECONDS = 30 * 60;
export const WRONG_CODES_OF_DAY = 10;
export const WRONG_CODE_BLOCK_SECONDS = 24 * 60 * 60;
/** Seconds in which a repeated request for a new gift card, or for a replacement, is shown its number and code again. */
export const GIFT_CARD_SHOWN_SECONDS = 24 * 60 * 60;
/** Characters of an e-mail address (RFC 5321, section 4.5.3.1.3, less the angle brackets). */
export const EMAIL_CHARACTERS = 254;
/** Months that a gift card may be valid at most: ten years. */
export const GIFT_CARD_MONTHS = 120;
/** Months that a stored-value account may be good for, numbers that are tried for a new one, and accounts of a list. */
export const ACCOUNT_MONTHS = 240;
export const ACCOUNT_NUMBER_TRIES = 20;
export const ACCOUNTS_LISTED = 1000;

/** Cards that `gift-cards issue` and `import` write in one transaction: a tenth of a second of work. */
export const GIFT_CARD_BATCH = 500;
/** Seconds that an instant must be past before its sums are told: no transaction lives longer. */
export const LIABILITY_AGE_SECONDS = 10;
/** Events in one page of the feed at most, and where the request names no number. */
export const PAGE_EVENTS = 1000;
export const DEFAULT_PAGE_EVENTS = 100;
/** Ports that production sends events to: where receivers speak TLS, and where nothing else may listen. Empty: 443. */
export const RECEIVER_PORTS: readonly string[] = ['', '443', '8443'];
/** Characters of the address of a webhook and of a type of event, and event types that a webhook may name. */
export const WEBHOOK_URL_CHARACTERS = 2000;
export const EVENT_TYPE_CHARACTERS = 81;
export const WEBHOOK_EVENT_TYPES = 50;
/** Seconds between two tries of a webhook that takes nothing: soon enough that an hour's outage is over soon after. */
export const WEBHOOK_PROBE_SECONDS = 600;
/** Milliseconds that a receiver has for its whole answer. */
export const DELIVERY_TIMEOUT_MS = 15_000;
/** Webhooks that one round of the job looks after, and the milliseconds between two rounds. */
export const DUE_WEBHOOKS = 100;
export const DELIVERY_INTERVAL_MS = 250;
/** Bytes that are read of a receiver's answer before the connection is cut, and characters that the log keeps of it. */
export const DELIVERY_ANSWER_BYTES = 16 * 1024;
export const DELIVERY_ANSWER_CHARACTERS = 1024;
/** Days that deliveries and their log are kept, and the milliseconds between two rounds of deleting older ones. */
export const DELIVERY_LOG_DAYS = 30;
export const DELIVERY_FORGET_INTERVAL_MS = 60_000;
/** Deliveries in one page of a list, and entries of the log that are shown of one of them. */
export const PAGE_DELIVERIES = 100;
export const SHOWN_TRIES = 50;

/** Seconds without a request after which a portal session is over, and seconds that it lasts at most (PCI DSS 8.2.8). */
export const PORTAL_IDLE_SECONDS = 15 * 60;
export const PORTAL_SESSION_SECONDS = 8 * 60 * 60;
/** Seconds for which a password that was given covers what makes secrets or changes rights. */
export const REAUTHENTICATION_SECONDS = 5 * 60;
/** Characters of a portal user's password (PCI DSS 8.3.6; OWASP ASVS 5, 6.2.9). */
export const LEAST_PASSWORD_CHARACTERS = 12;
export const PASSWORD_CHARACTERS = 128;
/** Entries in one page of the portal's activity, and lines of the table that it is downloaded as. */
export const PAGE_ACTIVITY = 100;
export const ACTIVITY_EXPORT_LINES = 10_000;
