-- Card payments: what a payer is to pay with a card, what was tried, and what became of it. The card is the issuer's, so
-- nothing is held here but what the issuer said; a capture is booked as a movement. A payment's row is its lock: its
-- transactions change under it alone.

create table card_payment (
  payee_id uuid not null constraint payee_exists references payee,
  payment_id uuid not null,
  number bigint not null,
  operation text not null,
  -- Null for a Verify, which moves nothing.
  intent text,
  -- Pending is not stored: it follows from the attempts that are unsettled.
  state text not null,
  currency text not null,
  -- What the issuer has approved; 0 before. Minor units, as all down to the reversal.
  amount bigint not null default 0,
  captured bigint not null default 0,
  cancelled bigint not null default 0,
  reversed bigint not null default 0,
  -- What captures and cancellations have asked the issuer for, without an answer yet; and reversals.
  reserved_hold bigint not null default 0,
  reserved_reversal bigint not null default 0,
  -- The authorization or verification that was approved.
  paid_by uuid,
  -- Authorizations and verifications that failed.
  failed_tries integer not null default 0,
  -- Attempts at the issuer without an answer, or that are being taken back.
  unsettled integer not null default 0,
  abort_reason text,
  payer_reference text,
  -- What the payee asked for, as it is shown, and what a repeated request is compared with. No secret, no card number.
  terms jsonb not null,
  -- Until then it can be paid.
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Number of its latest event.
  event_sequence bigint not null,
  -- Changes of this row; whoever changes it names the one that it has seen.
  version bigint not null default 0,

  constraint card_payment_pkey primary key (payee_id, payment_id),
  constraint operation_is_known check (operation in ('Purchase', 'Verify', 'Recur', 'UnscheduledPurchase')),
  constraint intent_is_known check (intent in ('Authorization', 'AutoCapture')),
  constraint all_but_a_verify_have_an_intent check ((operation = 'Verify') = (intent is null)),
  constraint state_is_known check (state in ('Ready', 'Failed', 'Aborted')),
  constraint amount_is_an_amount check (amount between 0 and 999999999999),
  constraint nothing_is_negative
    check (least(captured, cancelled, reversed, reserved_hold, reserved_reversal, failed_tries, unsettled) >= 0),
  constraint captured_cancelled_and_reserved_not_above_the_amount check (captured + cancelled + reserved_hold <= amount),
  constraint reversed_and_reserved_not_above_captured check (reversed + reserved_reversal <= captured),
  constraint only_a_paid_payment_has_an_amount check (amount = 0 or paid_by is not null),
  constraint paid_payment_stays_ready check (paid_by is null or state = 'Ready'),
  constraint aborted_payment_says_why check ((state = 'Aborted') = (abort_reason is not null)),
  constraint terms_is_an_object check (jsonb_typeof(terms) = 'object'),
  constraint updated_not_before_created check (updated_at >= created_at)
)
with (fillfactor = 80);

-- What nobody has paid and whose time is over.
create index card_payment_by_expiry on card_payment (expires_at) where state = 'Ready' and paid_by is null;

-- An authorization, verification, capture, cancellation or reversal.
create table card_transaction (
  payee_id uuid not null,
  transaction_id uuid not null,
  payment_id uuid not null,
  number bigint not null,
  type text not null,
  -- Initialized: the issuer was asked and has not answered yet. AwaitingActivity: the payer has to authenticate.
  state text not null,
  amount bigint not null,
  vat_amount bigint not null,
  description text,
  payee_reference text,
  -- What the issuer knows it by; null where it was not asked.
  attempt_id uuid,
  -- Who decides on the card; null where nobody does.
  issuer text,
  -- Code of the decline.
  problem text,
  -- Nobody knows what the issuer made of it, and the issuer has not confirmed yet that it took it back.
  taking_back boolean not null default false,
  -- What may be shown of the card, and the tokens that were made of it. Of an authorization or verification.
  card jsonb,
  tokens jsonb not null default '[]',
  -- Keyed digest of the card's number: its declines are counted.
  card_digest bytea,
  -- The sealed card in the vault, while the payer authenticates or tokens are to be made of it. Without a foreign key: a
  -- token may be deleted meanwhile, and its card with it.
  instrument_id uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,

  constraint card_transaction_pkey primary key (payee_id, transaction_id),
  constraint payment_exists foreign key (payee_id, payment_id) references card_payment,
  constraint transaction_type_is_known
    check (type in ('Authorization', 'Verification', 'Capture', 'Cancellation', 'Reversal')),
  constraint transaction_state_is_known check (state in ('Initialized', 'Completed', 'Failed', 'AwaitingActivity')),
  constraint amount_is_an_amount check (amount between 0 and 999999999999),
  constraint vat_is_a_part_of_the_amount check (vat_amount between 0 and amount),
  constraint failure_says_why check ((state = 'Failed') = (problem is not null)),
  constraint card_hides_its_number check (card::text !~ '[0-9]{13}'),
  constraint card_digest_is_a_sha_256 check (octet_length(card_digest) = 32),
  constraint updated_not_before_created check (updated_at >= created_at)
);

-- What was done to a payment, in order. It does not begin with the payee, for the reason that the tokens' indexes do not: a payment's id is unique.
create index card_transaction_by_payment on card_transaction (payment_id, number);
-- How often a card was declined lately.
create index card_transaction_by_declined_card on card_transaction (payee_id, card_digest, updated_at)
  where state = 'Failed' and card_digest is not null;
-- Whether a payment still needs a sealed card.
create index card_transaction_by_instrument on card_transaction (payee_id, instrument_id) where instrument_id is not null;

-- Cards that a payment has sealed: for the tokens that it may make, or while its payer authenticates. The request that
-- seals one destroys it again where nothing needs it in the end. Where it dies before, this is how the card is found.
create table sealed_card (
  payee_id uuid not null,
  instrument_id uuid not null,
  -- The last time that a payment has sealed it.
  sealed_at timestamptz not null,
  -- How many requests have the card in their hands: between sealing or opening it, and storing what became of their try. No
  -- transaction names it then, and one payment's end must not destroy what another one is about to pay with. A request that
  -- dies leaves its count behind; a count counts only as long as a request may take since the last one began.
  tries integer not null default 0,

  constraint sealed_card_pkey primary key (payee_id, instrument_id),
  constraint sealed_card_is_an_instrument foreign key (payee_id, instrument_id) references instrument on delete cascade,
  constraint sealed_card_tries check (tries >= 0)
);

create index sealed_card_by_time on sealed_card (sealed_at);
