/** Every limit of the service, with its unit and its reason. What an operator may change is in `config.ts` instead. */

/** Bytes of a request body: sixteen times the largest sensible one. */
export const BODY_BYTES = 64 * 1024;
/** Bytes of a request's header block: Node's own limit, written out so that it does not change under us. */
export const HEADER_BYTES = 16 * 1024;
/** Seconds for which browsers speak TLS only to a host that has said so once: two years, as their own lists ask for. */
export const HSTS_SECONDS = 2 * 365 * 24 * 60 * 60;
/** Header lines of a request. */
export const HEADER_COUNT = 100;
/** Characters of a request target. */
export const URL_CHARACTERS = 4 * 1024;
/** Levels of objects and arrays in a JSON body. The deepest legal body has five. */
export const JSON_DEPTH = 8;
/** Members of one JSON object: no schema of ours has more than forty. */
export const JSON_MEMBERS = 200;
/**
 * Characters of a text whose schema asks for a form and names no length, before that form is looked at: more than twice
 * the longest of them.
 */
export const FORMED_TEXT_CHARACTERS = 256;
/** Bytes from which on an answer is packed: one that fits a packet gets there no sooner. */
export const LEAST_PACKED_BYTES = 1024;
/** Bytes from which on what is packed once is packed less well: the reference's script would take seconds. */
export const LARGE_ANSWER_BYTES = 1024 * 1024;
/** Answers that are kept packed: every file and page that is the same for all, twice over. */
export const KEPT_PACKED_ANSWERS = 256;
/** Names in one `$expand`. */
export const EXPAND_NAMES = 10;
/** Characters of one of those names: about twice the longest that exists. */
export const EXPAND_NAME_CHARACTERS = 40;
/** Characters of an `Idempotency-Key`: a UUID has 36. */
export const IDEMPOTENCY_KEY_CHARACTERS = 64;
/** Characters of the payer's address in `Forwarded`: the longest IPv6 address has 45. */
export const PAYER_ADDRESS_CHARACTERS = 64;
/** Header texts whose meaning is remembered, for each header: clients send the same few again and again. */
export const HEADER_MEMO_ENTRIES = 256;
/** Characters of a header text that is worth remembering. With the entries it bounds the memory to 64 KiB a header. */
export const HEADER_MEMO_CHARACTERS = 256;
/** Callers whose requests are counted at once, for each limit: about 2 MB. The longest unseen are forgotten first. */
export const RATE_LIMIT_KEYS = 20_000;
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
/** Access tokens in that cache, so that a flood of valid ones cannot fill the memory. */
export const ACCESS_TOKEN_CACHE_ENTRIES = 10_000;
/** HMAC secrets that are kept opened at once, for as long as an access token: a payee has one or two. */
export const HMAC_SECRET_CACHE_ENTRIES = 10_000;
/** Characters of the key id in an `Hmac` header: ours have 19, and the table takes no more than this. */
export const HMAC_USER_CHARACTERS = 64;
/** Characters of the nonce in an `Hmac` header, at least and at most: from 64 random bits up, and few enough to store. */
export const LEAST_NONCE_CHARACTERS = 16;
export const NONCE_CHARACTERS = 64;
/** Seconds that `Transmission-Time` may differ from our clock: what clocks drift and requests wait, little to replay in. */
export const TRANSMISSION_TIME_SECONDS = 300;
/** Bytes of a body up to which a wrong signature is compared with pairs of mistakes: a thousand digests of it. Sandbox only. */
export const DIAGNOSIS_BODY_BYTES = 4 * 1024;
/** Seconds that a token from the OAuth token endpoint lives. */
export const OAUTH_TOKEN_SECONDS = 3600;
/** Months that an access token from the portal or the command line may live at most. */
export const ACCESS_TOKEN_MONTHS = 12;
/** Characters of the name of a payee or a credential, after trimming: a line in a list. */
export const NAME_CHARACTERS = 100;
/** Days that a token of an OAuth client is kept after it expired, so that a question about yesterday has an answer. */
export const EXPIRED_TOKEN_DAYS = 1;
/** Rows that one round of forgetting deletes from a table, so that it never holds locks for long. */
export const FORGET_ROWS = 1000;
/** Milliseconds between two rounds of forgetting: often enough that a round is small. */
export const FORGET_INTERVAL_MS = 60_000;
/** Parameters in a form-urlencoded body: no OAuth request has more than six. */
export const FORM_PARAMETERS = 20;
/** Characters of one value in a form-urlencoded body: ten times the longest token of ours. */
export const FORM_VALUE_CHARACTERS = 1024;
/** Failed authentications of OAuth clients from one network in one window, before further ones are answered 429. */
export const CLIENT_AUTHENTICATION_FAILURES = 20;
/** Seconds of that window. */
export const CLIENT_AUTHENTICATION_WINDOW_SECONDS = 600;
/** Hours that the old HMAC key goes on working beside its successor: a day to change the shops' settings. */
export const HMAC_KEY_OVERLAP_HOURS = 24;
/** Days that an old credential goes on beside its successor at most: a secret that was replaced is one that may be known. */
export const MOST_OVERLAP_DAYS = 90;

/** Keys that one grouped read puts into one statement. */
export const GROUP_READ_KEYS = 256;
/** Statements of one grouped read that are under way at once. */
export const GROUP_READS_IN_FLIGHT = 2;
/** Reads that may wait for their turn before further ones are answered 503. */
export const GROUP_READ_WAITING = 10_000;

/** Characters of an instrument's name, and texts that belong to one of any name. */
export const INSTRUMENT_NAME_CHARACTERS = 50;
export const INSTRUMENT_PARAMETERS = 20;
/** Lines of an import file that are written in one transaction. */
export const IMPORT_BATCH_LINES = 500;
/** Lines of the next transaction that are made ready before the database's answers are looked at again: a millisecond. */
export const IMPORT_BREATH_LINES = 16;
/** Characters of one line of an import file. */
export const IMPORT_LINE_CHARACTERS = 16 * 1024;
/** Times that a transaction is tried again after a deadlock or a serialization failure. */
export const TRANSACTION_RETRIES = 5;
/** Longest pause before such a retry, in milliseconds: shorter than a caller waits for the answer. */
export const TRANSACTION_RETRY_PAUSE_MS = 200;

/** Times that a migration is tried again when the service holds a lock that it needs. */
export const MIGRATION_RETRIES = 20;
/** Longest pause before such a retry, in milliseconds: time for the transactions that queued behind us to pass. */
export const MIGRATION_RETRY_PAUSE_MS = 3_000;
/** How long to wait for another process that migrates. Building an index of a large table takes minutes. */
export const MIGRATION_WAIT_MS = 30 * 60_000;
/** How long `create index concurrently` waits for older transactions; no other transaction waits for it meanwhile. */
export const CONCURRENT_INDEX_LOCK_TIMEOUT_MS = 30_000;

/** Milliseconds. The order is database < handler < proxy < client, so that the one that gives up first knows why. */
export const CONNECT_TIMEOUT_MS = 2_000;
export const POOL_WAIT_MS = 1_000;
export const LOCK_TIMEOUT_MS = 2_000;
export const STATEMENT_TIMEOUT_MS = 5_000;
export const IDLE_TRANSACTION_TIMEOUT_MS = 5_000;
/** The server ends a statement before this; no answer by then means that the connection is broken. */
export const ANSWER_TIMEOUT_MS = 6_000;
/** A COMMIT may wait for a standby, which no time-out of the server ends. After this its outcome counts as unknown. */
export const COMMIT_TIMEOUT_MS = 5_000;
/** How long an idle connection is kept. */
export const IDLE_CONNECTION_MS = 60_000;
export const HANDLER_TIMEOUT_MS = 10_000;
export const HEADERS_TIMEOUT_MS = 10_000;
export const REQUEST_TIMEOUT_MS = 15_000;
/** How often connections are looked at for these two: Node's own 30 s would let a slow sender live three times as long. */
export const CONNECTION_CHECK_MS = 2_000;
/** Longer than the idle time-out of the usual proxies (60 s), so that a proxy never writes to a socket we just closed. */
export const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** Connections to the port of the metrics: each is of a program that watches. */
export const METRICS_SOCKETS = 50;
/** How long a stopping service lets the requests under way finish. */
export const DRAIN_TIMEOUT_MS = 25_000;
/** Requests on one connection before it is closed, so that load spreads over instances that joined later. */
export const REQUESTS_PER_SOCKET = 1_000;
/** Connections that one network may have open: more than any pool of a merchant's, or the browsers behind one address. */
export const SOCKETS_PER_NETWORK = 512;
/** Milliseconds between two lines of the log about networks that want more. */
export const SOCKETS_TOLD_MS = 60_000;
/**
 * Milliseconds in which not a byte went either way while a request is answered: a client that reads nothing is cut off.
 */
export const STALLED_SOCKET_MS = 30_000;

/** Milliseconds for the embedded PostgreSQL to answer, and for the remains of a killed one to be gone. */
export const EMBEDDED_START_MS = 20_000;
/** Milliseconds that a server which says that it is recovering may take: it may have 2 GB of log to replay. */
export const EMBEDDED_RECOVERY_MS = 600_000;
/** Milliseconds before waiting for such a server is worth a line in the log. */
export const EMBEDDED_QUIET_MS = 1_000;
/** Milliseconds for a fast shutdown, which writes one checkpoint; after that the server is stopped at once. */
export const EMBEDDED_STOP_MS = 20_000;
/** Milliseconds that a killed owner's session may live on in the server before the directory counts as taken. */
export const EMBEDDED_OWNER_MS = 2_000;
/** Milliseconds between two looks at a server that starts or stops: its start takes about 30. */
export const EMBEDDED_POLL_MS = 20;
/** Milliseconds before a server that failed to start because of the one before it is started again. */
export const EMBEDDED_RETRY_MS = 200;
/** Bytes of the embedded server's log before a start sets it aside; one older file is kept. */
export const EMBEDDED_LOG_BYTES = 16 * 1024 * 1024;
/** Bytes of that log which are read to explain a failed start. */
export const EMBEDDED_LOG_TAIL_BYTES = 8 * 1024;
/** Bytes of a Unix socket's path: the system allows 103 (macOS) or 107 (Linux), less a margin. */
export const SOCKET_PATH_BYTES = 100;

/** Rows that a key rotation moves in one transaction: few enough that no request notices its locks. */
export const KEY_MOVE_ROWS = 500;
/** Rows that are counted to show a rotation's progress; more take longer than a statement may. */
export const KEY_COUNT_ROWS = 1_000_000;
/** Times that a key rotation looks again for rows that others hold, and the milliseconds between: half a minute. */
export const KEY_MOVE_TRIES = 120;
export const KEY_MOVE_PAUSE_MS = 250;
/** Times that it asks for the lock that waits for every writer; each time it waits as long as any lock is waited for. */
export const KEY_LOCK_TRIES = 10;
/** Transactions in which one request of the portal moves rows to another key: a second of work or less. */
export const KEY_STEP_ROUNDS = 4;
/** Days after which a key should be rotated: backups outlive what is deleted by no more than that and their own time. */
export const KEY_ROTATION_DAYS = 90;
/** Characters of the passphrase that seals an exported key ring, at least (PCI DSS 4.0.1, 8.3.6). */
export const PASSPHRASE_CHARACTERS = 12;
/** Rounds of finding and adding an instrument: a second one where another transaction adds the same card at that moment. */
export const INSTRUMENT_STORE_ROUNDS = 10;

/** Digits of a card range's prefix: the longest issuer number (ISO/IEC 7812-1). */
export const CARD_RANGE_DIGITS = 8;
/** Lines of a card-range file that are written by one statement. */
export const CARD_RANGE_BATCH_LINES = 1000;
/** Bad lines of a card-range file that are reported before the rest is only counted. */
export const CARD_RANGE_REPORTED_LINES = 100;
/** Characters of a brand's name and of an issuing bank's. */
export const BRAND_CHARACTERS = 20;
export const ISSUER_NAME_CHARACTERS = 100;

/** Milliseconds between two looks at the card ranges, for prefixes that free text is scanned for. */
export const CARD_PREFIX_INTERVAL_MS = 60_000;

/**
 * Percent that the service's heap may grow after a full collection before the next one. By itself V8 lets it grow to a
 * multiple on a machine with much memory: 190 MiB resident under load instead of 145, for no measurable time.
 */
export const HEAP_GROWING_PERCENT = 100;

/** Commands in one batch of money at most: the next ones gather while it is written, so a larger one makes all wait. */
export const BATCH_COMMANDS = 256;
/** Batches under way at once: while one waits for the disk the other one's statements run. */
export const BATCH_LANES = 2;
/** Commands of money that may wait. One payee may fill a quarter; both are seconds of work. */
export const BATCH_QUEUE_COMMANDS = 10_000;
/** Milliseconds that a command of money may wait for its turn. With a wait for a lock it stays below the handler's time. */
export const BATCH_QUEUE_AGE_MS = 2_500;
/** Batches that a command may have to leave because of a lock before it waits for it, with all that need the same one. */
export const BATCH_ROUNDS = 3;
/** Batches that wait for a lock at once: one whose holder is stuck must not hold up another whose holder is only busy. */
export const BATCH_PATIENT_LANES = 2;
/** Milliseconds that an unknown commit is asked after. */
export const BATCH_UNKNOWN_MS = 5_000;
/** Longest pause before it is asked after again, in milliseconds. */
export const BATCH_UNKNOWN_PAUSE_MS = 250;

/** Holds of one account that a batch releases when their time is over; more are released by the next ones. */
export const EXPIRED_HOLDS = 100;
/** Accounts that one round of the job for untouched accounts looks after. */
export const EXPIRY_ACCOUNTS = 100;
/** Milliseconds between two rounds of it. A hold whose time is over cannot be captured meanwhile. */
export const EXPIRY_INTERVAL_MS = 5_000;

/** Milliseconds that the sandbox's acquirer has to answer: a person who tries something out does not wait long. */
export const SANDBOX_ANSWER_MS = 4_000;
/** Seconds until a job gives up an attempt whose answer was not stored: the process that asked has died. */
export const ATTEMPT_DEADLINE_SECONDS = 10;
/** Attempts that one round of that job takes. */
export const DUE_ATTEMPTS = 50;
/** Milliseconds between two rounds of it. */
export const DUE_ATTEMPTS_INTERVAL_MS = 1_000;
/** Milliseconds that a repeat waits for the first request with its reference, and between two looks at it. */
export const IN_FLIGHT_WAIT_MS = 2_000;
export const IN_FLIGHT_POLL_MS = 100;
/**
 * Wrong cvc or expiry values that close a card for the caller who gave them: 5 in half an hour, or 10 in a day, for a day.
 * A caller that stays below the first guesses no more than 10 of the 1 000 codes a day: one in a hundred.
 */
export const WRONG_CODES = 5;
export const WRONG_CODE_WINDOW_SECONDS = 30 * 60;
export const WRONG_CODES_OF_DAY = 10;
export const WRONG_CODE_BLOCK_SECONDS = 24 * 60 * 60;
/**
 * Wrong values of all callers that close a card for all, in a day and for a day. No two callers reach it, so a stranger with
 * a token cannot take a card from its holder; many callers together guess 3 of 100 codes a day.
 */
export const WRONG_CODES_OF_ALL = 30;
/** Look-ups that find nothing, for one caller and for all of a payee, in a window before they are 429; and its seconds. */
export const UNKNOWN_NUMBERS = 20;
export const UNKNOWN_NUMBERS_OF_PAYEE = 200;
export const UNKNOWN_NUMBER_WINDOW_SECONDS = 600;
/** Seconds in which a repeated request for a new gift card, or for a replacement, is shown its number and code again. */
export const GIFT_CARD_SHOWN_SECONDS = 24 * 60 * 60;
/** Cards that are drawn for one request at most: a number is taken once in ten billion, a key changes once in months. */
export const GIFT_CARD_DRAWS = 10;
/** Characters of an e-mail address (RFC 5321, section 4.5.3.1.3, less the angle brackets). */
export const EMAIL_CHARACTERS = 254;
/** Digits of a gift card's prefix, at least and at most: enough to know a card by, few enough to leave the rest to chance. */
export const LEAST_GIFT_CARD_PREFIX_DIGITS = 4;
export const GIFT_CARD_PREFIX_DIGITS = 8;
/** Random digits of a gift card's number at least: ten billion numbers for each prefix, so that guessing finds none. */
export const GIFT_CARD_RANDOM_DIGITS = 10;
/** Months that a gift card may be valid at most: ten years. */
export const GIFT_CARD_MONTHS = 120;
/** Gift cards that one statement looks through for expired ones: some milliseconds of work. */
export const SWEEP_PAGE_CARDS = 2000;
/** Expired gift cards that are swept at once: few beside the payments that wait in the same queue. */
export const SWEEP_CARDS = 100;
/** Times that a step in a gift card's life is prepared anew because the card or a key has changed meanwhile. */
export const STEP_TRIES = 5;
/** Months that a stored-value account may be good for, numbers that are tried for a new one, and accounts of a list. */
export const ACCOUNT_MONTHS = 240;
export const ACCOUNT_NUMBER_TRIES = 20;
export const ACCOUNTS_LISTED = 1000;
/** Entries of one statement of an account: what a person reads. */
export const STATEMENT_LINES = 1000;

/** Cards that `gift-cards issue` and `import` write in one transaction: a tenth of a second of work. */
export const GIFT_CARD_BATCH = 500;
/** Cards that are made before the database's answers are looked at again: a millisecond. */
export const GIFT_CARD_BREATH = 25;
/** Cards in one file of `gift-cards issue`: it is read as a whole where a run is taken up. */
export const GIFT_CARD_FILE_CARDS = 1_000_000;
/** Seconds that an instant must be past before its sums are told: no transaction lives longer. */
export const LIABILITY_AGE_SECONDS = 10;
/** Events that one transaction of the sequencer gives their positions: some tens of milliseconds of work. */
export const SEQUENCER_EVENTS = 500;
/** Milliseconds between two rounds of it: what a follower of the feed waits longer at most. */
export const SEQUENCER_INTERVAL_MS = 200;
/** Milliseconds that a round of it waits for a moment without requests. */
export const SEQUENCER_PATIENCE_MS = 50;
/** Events in one page of the feed at most, and where the request names no number. */
export const PAGE_EVENTS = 1000;
export const DEFAULT_PAGE_EVENTS = 100;
/** Webhooks of one payee: each event is stored and sent once for each. */
export const WEBHOOKS = 16;
/** Ports that production sends events to: where receivers speak TLS, and where nothing else may listen. Empty: 443. */
export const RECEIVER_PORTS: readonly string[] = ['', '443', '8443'];
/** Characters of the address of a webhook and of a type of event, and event types that a webhook may name. */
export const WEBHOOK_URL_CHARACTERS = 2000;
export const EVENT_TYPE_CHARACTERS = 81;
export const WEBHOOK_EVENT_TYPES = 50;
/** Secrets that a delivery is signed with at most: the newest ones, where one was rotated again and again. */
export const SIGNING_SECRETS = 4;
/** Seconds after the first try of a delivery at which it is tried again; after the last one it is given up. */
export const DELIVERY_RETRY_SECONDS: readonly number[] = [30, 60, 360, 432, 864, 1265];
/** Seconds between two tries of a webhook that takes nothing: soon enough that an hour's outage is over soon after. */
export const WEBHOOK_PROBE_SECONDS = 600;
/** Milliseconds that a receiver has for its whole answer. */
export const DELIVERY_TIMEOUT_MS = 15_000;
/**
 * Seconds until another process may try a delivery that was taken out: longer than a try takes, also on a slow machine.
 */
export const DELIVERY_LEASE_SECONDS = 60;
/** Deliveries to one webhook that are under way at once in one instance: a shop's server is not to be flooded. */
export const DELIVERIES_AT_ONCE = 16;
/** Webhooks that one round of the job looks after, and the milliseconds between two rounds. */
export const DUE_WEBHOOKS = 100;
export const DELIVERY_INTERVAL_MS = 250;
/** Milliseconds that the next delivery to a webhook waits for the answer to the one before: for a server that is quick. */
export const DELIVERY_PACE_MS = 5;
/**
 * Milliseconds for which the steps of the first so many deliveries wait for moments without requests, all together; those
 * of the next ones wait half as long, and so on.
 */
export const DELIVERY_PATIENCE_MS = 200;
/** Bytes that are read of a receiver's answer before the connection is cut, and characters that the log keeps of it. */
export const DELIVERY_ANSWER_BYTES = 16 * 1024;
export const DELIVERY_ANSWER_CHARACTERS = 1024;
/** Days that deliveries and their log are kept, and the milliseconds between two rounds of deleting older ones. */
export const DELIVERY_LOG_DAYS = 30;
export const DELIVERY_FORGET_INTERVAL_MS = 60_000;
/** Deliveries in one page of a list, and entries of the log that are shown of one of them. */
export const PAGE_DELIVERIES = 100;
export const SHOWN_TRIES = 50;
/** Milliseconds between two looks at the feed of `kontor listen`, and after a failed one. */
export const LISTEN_INTERVAL_MS = 500;
export const LISTEN_RETRY_MS = 2_000;

/** Seconds without a request after which a portal session is over, and seconds that it lasts at most (PCI DSS 8.2.8). */
export const PORTAL_IDLE_SECONDS = 15 * 60;
export const PORTAL_SESSION_SECONDS = 8 * 60 * 60;
/** Seconds between two notes of a portal session's use: one write, and it may seem idle so much sooner. */
export const PORTAL_USE_SECONDS = 30;
/** Seconds for which a password that was given covers what makes secrets or changes rights. */
export const REAUTHENTICATION_SECONDS = 5 * 60;
/** Seconds that the portal's page may call the API with one access token: less than a session may be idle. */
export const PORTAL_CREDENTIALS_SECONDS = 10 * 60;
/** Characters of a portal user's password (PCI DSS 8.3.6; OWASP ASVS 5, 6.2.9). */
export const LEAST_PASSWORD_CHARACTERS = 12;
export const PASSWORD_CHARACTERS = 128;
/** Failed sign-ins of one user from one network in a window, and seconds that the two are locked out then (PCI DSS 8.3.4). */
export const SIGN_IN_FAILURES = 10;
export const SIGN_IN_LOCK_SECONDS = 30 * 60;
/** Failed sign-ins from one network in such a window, for all users together. */
export const NETWORK_SIGN_IN_FAILURES = 100;
/** Passwords that are hashed at once, each in 16 MiB and a quarter of a second, and that may wait for it. */
export const PASSWORD_HASHES = 2;
export const PASSWORD_HASHES_WAITING = 20;
/** Milliseconds that they wait at most: less than a request may take. */
export const PASSWORD_WAIT_MS = 4_000;
/** Recovery codes that a user gets with a second factor, and random bytes that each is made of. */
export const RECOVERY_CODES = 10;
export const RECOVERY_CODE_BYTES = 7;
/** Bytes of a second factor's seed: as many as its digest has (RFC 4226, section 4). */
export const SEED_BYTES = 20;
/** Hours that an invitation to the portal is good for. */
export const INVITATION_HOURS = 72;
/** Users of one payee that a list shows. */
export const LISTED_PORTAL_USERS = 500;
/** Entries in one page of the portal's activity, and lines of the table that it is downloaded as. */
export const PAGE_ACTIVITY = 100;
export const ACTIVITY_EXPORT_LINES = 10_000;
/** Card ranges in one page of the portal's list. */
export const PAGE_CARD_RANGES = 100;
