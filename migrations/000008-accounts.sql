-- Account payments, what was done to them, and what external issuers were asked.

-- An account payment: the hold, and what became of it.
create table payment (
  payee_id uuid not null,
  payment_id uuid not null,
  -- Without a foreign key: the account is locked in the transaction that writes the row, and accounts stay.
  account_id uuid not null,
  operation text not null,
  -- CALLING: an external issuer was asked and has not answered yet. Never shown.
  state text not null,
  -- As asked. Minor units, as the other three.
  amount bigint not null,
  currency text not null,
  -- Taken of an authorization or purchase; given of a deposit or credit.
  captured bigint not null,
  -- Released, by a cancel, by the end of its time, or because the issuer never answered.
  cancelled bigint not null,
  -- Given back of what was captured.
  reversed bigint not null,
  -- Null where nothing is held.
  hold_expires_at timestamptz,
  payment_order_ref text not null,
  payment_transaction_ref text not null,
  -- Code of a decline.
  problem text,
  -- What the answer shows beside these columns. Masked, without any secret.
  echo jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Number of its latest event.
  event_sequence bigint not null,
  -- Of what is left to capture and to cancel: what captures and cancels have asked an external issuer for, without an answer
  -- yet. Kept apart, so that nothing else can take it.
  reserved_hold bigint not null default 0,
  -- The same of what is left to give back.
  reserved_reversal bigint not null default 0,

  constraint payment_pkey primary key (payee_id, payment_id),
  constraint payment_operation_is_known check (operation in ('Authorize', 'Purchase', 'Deposit', 'Credit')),
  constraint payment_state_is_known check (state in ('CALLING', 'OK', 'FAILED', 'REVERSED')),
  constraint amount_is_an_amount check (amount between 0 and 999999999999),
  constraint captured_not_negative check (captured >= 0),
  constraint cancelled_not_negative check (cancelled >= 0),
  constraint captured_and_cancelled_not_above_the_amount check (captured + cancelled <= amount),
  constraint reversed_between_zero_and_captured check (reversed between 0 and captured),
  constraint failed_payment_took_nothing check (state <> 'FAILED' or (captured = 0 and cancelled = 0)),
  constraint reversed_payment_has_nothing_left
    check (state <> 'REVERSED' or (captured + cancelled = amount and reversed = captured)),
  constraint open_hold_has_something_left
    check (hold_expires_at is null or (state = 'OK' and operation = 'Authorize' and captured + cancelled < amount)),
  constraint decline_says_why check ((state = 'FAILED') = (problem is not null)),
  constraint reserved_not_negative check (reserved_hold >= 0 and reserved_reversal >= 0),
  constraint captured_cancelled_and_reserved_not_above_the_amount
    check (captured + cancelled + reserved_hold <= amount),
  constraint reversed_and_reserved_not_above_captured check (reversed + reserved_reversal <= captured),
  constraint only_a_good_payment_reserves check (state = 'OK' or (reserved_hold = 0 and reserved_reversal = 0)),
  constraint echo_is_an_object check (jsonb_typeof(echo) = 'object'),
  constraint updated_not_before_created check (updated_at >= created_at)
)
with (fillfactor = 90);

-- The open holds of an account, the first to expire first.
create index payment_by_hold_expiry on payment (payee_id, account_id, hold_expires_at) where hold_expires_at is not null;

-- A capture, cancel or reversal.
create table payment_transaction (
  payee_id uuid not null,
  transaction_id uuid not null,
  payment_id uuid not null,
  operation text not null,
  state text not null,
  amount bigint not null,
  payment_order_ref text not null,
  payment_transaction_ref text not null,
  problem text,
  echo jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- What a capture releases of the hold together with what it takes.
  released bigint not null default 0,

  constraint payment_transaction_pkey primary key (payee_id, transaction_id),
  constraint payment_exists foreign key (payee_id, payment_id) references payment,
  constraint transaction_operation_is_known check (operation in ('Capture', 'Cancel', 'Reversal')),
  constraint transaction_state_is_known check (state in ('CALLING', 'OK', 'FAILED', 'REVERSED')),
  constraint amount_is_an_amount check (amount between 0 and 999999999999),
  constraint decline_says_why check ((state = 'FAILED') = (problem is not null)),
  constraint only_a_capture_releases check (released = 0 or (released > 0 and operation = 'Capture')),
  constraint echo_is_an_object check (jsonb_typeof(echo) = 'object'),
  constraint updated_not_before_created check (updated_at >= created_at)
);

-- What was done to a payment, in order.
create index payment_transaction_by_payment on payment_transaction (payee_id, payment_id, created_at, transaction_id);

-- What external issuers were asked: written before the call, so that a crash between the call and its answer leaves a
-- trace, and a job can have the issuer take the payment back. Of account payments and of card payments.
create table issuer_attempt (
  payee_id uuid not null,
  -- The issuer knows it too: a reversal names it.
  attempt_id uuid not null,
  payment_id uuid not null,
  -- Of the payment: whoever settles the attempt locks it. Null for a card payment, which has none.
  account_id uuid,
  issuer text not null,
  state text not null,
  -- When the job looks after it: the deadline of the answer, then the next try of a reversal. Null once nothing is left to do.
  due_at timestamptz,
  tries integer not null default 0,
  created_at timestamptz not null,
  -- The capture, cancel or reversal that it asks for; null where it asks for the payment itself.
  transaction_id uuid,
  -- What the attempt is about decides who settles it.
  subject text not null default 'AccountPayment',

  constraint issuer_attempt_pkey primary key (payee_id, attempt_id),
  constraint attempt_state_is_known check (state in ('CALLING', 'SETTLED', 'REVERSING', 'REVERSED')),
  constraint open_attempt_is_due check ((due_at is null) = (state in ('SETTLED', 'REVERSED'))),
  constraint subject_is_known check (subject in ('AccountPayment', 'CardPayment')),
  constraint account_payment_has_an_account check ((subject = 'AccountPayment') = (account_id is not null))
);

-- The job takes what is due, across payees.
create index issuer_attempt_by_due on issuer_attempt (due_at) where due_at is not null;
-- A follow-up names the attempt that made its payment: there is one.
create unique index attempt_makes_the_payment on issuer_attempt (payee_id, payment_id) where transaction_id is null;
