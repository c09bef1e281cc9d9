-- The ledger: accounts, what was asked of them, and where the money went. Balances are cached on the account, whose row
-- is the only lock: a payment, its hold and its counters change under it alone. Entries are added and never changed.

-- A stored-value account of our own, or the shadow of a card that an external issuer decides on.
create table account (
  payee_id uuid not null references payee,
  -- paymentAccountId on the wire.
  account_id uuid not null,
  kind text not null,
  -- paymentInstrumentType on the wire.
  instrument text not null,
  -- Who decides on it, by the name of a port in issuers/.
  issuer text not null,
  -- Null for an external card, which takes any.
  currency text,
  -- HMAC-SHA-256 of payee and number. An external card's number is not stored, so a look-up tries all live keys.
  number_digest bytea not null,
  number_key_id text not null,
  number_masked text not null,
  -- Minor units. Both are sums of entries; what we owe is both together.
  available bigint not null default 0,
  held bigint not null default 0,
  -- The last day of its month, and the instant when that is over in the payee's time zone.
  expires_on date,
  expires_at timestamptz,
  cvc_required boolean not null default false,
  -- A cvc of ours is computed, never stored.
  cvc_key_id text,
  cvc_sequence integer not null default 0,
  -- Empty: it can be spent on anything.
  allowed_product_ids text[] not null default '{}',
  largest_balance bigint,
  blocked_at timestamptz,
  blocked_until timestamptz,
  -- Wrong cvc and expiry values in a row of time: counted here because the account's lock makes each one count.
  strikes integer not null default 0,
  strikes_end_at timestamptz,
  -- No hold expires earlier. It may be too early, never too late.
  next_hold_expires_at timestamptz,
  -- Number of the account's latest entry.
  entry_count bigint not null default 0,
  -- Changes of this row; whoever changes it names the one that it has seen.
  version bigint not null default 0,
  created_at timestamptz not null default kontor_now(),

  primary key (payee_id, account_id),
  constraint number_has_one_account unique (payee_id, number_digest),
  constraint account_kind_is_known check (kind in ('StoredValue', 'External')),
  constraint instrument_is_known check (instrument in ('giftcard', 'prepaid', 'creditcard')),
  constraint stored_value_has_a_currency check ((kind = 'StoredValue') = (currency is not null)),
  constraint number_digest_is_a_sha_256 check (octet_length(number_digest) = 32),
  constraint masked_hides_the_number check (number_masked !~ '[0-9]{13}'),
  constraint available_not_negative check (available >= 0),
  constraint held_not_negative check (held >= 0),
  constraint balance_not_above_the_largest check (available + held <= coalesce(largest_balance, 999999999999)),
  constraint external_card_has_no_buckets check (kind = 'StoredValue' or (available = 0 and held = 0)),
  constraint expiry_is_day_and_instant check ((expires_on is null) = (expires_at is null)),
  constraint block_ends_after_its_start check (blocked_until > blocked_at),
  constraint strikes_not_negative check (strikes >= 0)
)
-- Room for the new versions of hot rows on the same page, so that their indexes stay as they are.
with (fillfactor = 60);

-- Holds of accounts that nobody touches: the job looks for them here, across payees.
create index account_by_hold_expiry on account (next_hold_expires_at) where next_hold_expires_at is not null;

-- An account payment: the hold, and what became of it.
create table payment (
  payee_id uuid not null,
  payment_id uuid not null,
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

  primary key (payee_id, payment_id),
  constraint account_exists foreign key (payee_id, account_id) references account,
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

  primary key (payee_id, transaction_id),
  constraint payment_exists foreign key (payee_id, payment_id) references payment,
  constraint transaction_operation_is_known check (operation in ('Capture', 'Cancel', 'Reversal')),
  constraint transaction_state_is_known check (state in ('CALLING', 'OK', 'FAILED', 'REVERSED')),
  constraint amount_is_an_amount check (amount between 0 and 999999999999),
  constraint decline_says_why check ((state = 'FAILED') = (problem is not null)),
  constraint echo_is_an_object check (jsonb_typeof(echo) = 'object'),
  constraint updated_not_before_created check (updated_at >= created_at)
);

-- What was done to a payment, in order.
create index payment_transaction_by_payment on payment_transaction (payee_id, payment_id, created_at, transaction_id);

-- A payee's references, each taken once and for ever. To add a row is to take it: whoever comes second waits until the
-- first one has committed, and then sees what became of it. It is taken before its payment is made, so it cannot point to it.
create table reference (
  payee_id uuid not null,
  -- References of different scopes do not meet.
  scope text not null,
  reference text not null,
  -- The command that took it, so that it knows its own effect when it runs again.
  command_id uuid not null,
  payment_id uuid not null,
  -- Null where it stands for the payment itself.
  transaction_id uuid,

  primary key (payee_id, scope, reference),
  constraint scope_is_known check (scope in ('payment')),
  constraint reference_is_well_formed check (reference ~ '^[A-Za-z0-9._-]{1,64}$')
);

-- Money that moved, once.
create table movement (
  payee_id uuid not null,
  movement_id uuid not null,
  kind text not null,
  currency text not null,
  payment_id uuid,
  transaction_id uuid,
  happened_at timestamptz not null,

  primary key (payee_id, movement_id),
  constraint movement_kind_is_known check (
    kind in ('Authorize', 'Capture', 'Cancel', 'Expire', 'Purchase', 'Deposit', 'Credit', 'Reversal', 'Sweep', 'Merge',
      'Opening')
  )
);
comment on table movement is 'append-only: money that moved';

-- One line of a movement: an amount on one side. Of the payee's own sides there are only entries and no balance, so that
-- nobody waits for anybody there.
create table entry (
  payee_id uuid not null,
  movement_id uuid not null,
  line smallint not null,
  side text not null,
  currency text not null,
  -- Minor units; negative: money leaves this side.
  amount bigint not null,
  -- The account of a bucket, the number of this entry among the account's, and what is in the bucket after it.
  account_id uuid,
  sequence bigint,
  balance bigint,

  primary key (payee_id, movement_id, line),
  constraint account_entry_has_one_number unique (payee_id, account_id, sequence),
  constraint side_is_known check (side in ('Available', 'Held', 'Clearing', 'Funding', 'Issuer', 'Breakage')),
  constraint amount_is_not_zero check (amount <> 0),
  constraint bucket_has_account_number_and_balance check (
    case when side in ('Available', 'Held') then num_nulls(account_id, sequence, balance) = 0
      else num_nonnulls(account_id, sequence, balance) = 0 end
  ),
  constraint bucket_not_negative check (balance >= 0),
  constraint entry_number_is_positive check (sequence > 0)
);
comment on table entry is 'append-only: the lines of movements';

-- The entries of a movement arrive by one statement, so they can be summed at its end. Cheaper than a deferred trigger
-- for each row by far.
create function refuse_entries_that_do_not_sum_to_zero() returns trigger
  language plpgsql
  as $$
  begin
    if exists (
      select from added group by payee_id, movement_id having sum(amount) <> 0 or min(currency) <> max(currency)
    ) then
      raise exception 'the entries of a movement do not sum to zero'
        using errcode = 'check_violation', constraint = 'entries_sum_to_zero', table = 'entry';
    end if;
    return null;
  end
  $$;

create trigger entries_sum_to_zero
  after insert on entry
  referencing new table as added
  for each statement execute function refuse_entries_that_do_not_sum_to_zero();

create trigger movement_stays_as_it_is
  before update or delete or truncate on movement
  for each statement execute function refuse_to_change_the_past();
create trigger entry_stays_as_it_is
  before update or delete or truncate on entry
  for each statement execute function refuse_to_change_the_past();

-- What happened, for whoever wants to be told. It commits with the change that it tells of.
create table event (
  payee_id uuid not null,
  event_id uuid not null,
  -- As in payment.authorized.
  type text not null,
  resource_kind text not null,
  resource_id text not null,
  -- Counts up by one for each resource, so that its events can be put in order.
  resource_sequence bigint not null,
  happened_at timestamptz not null,
  payload jsonb not null,

  primary key (payee_id, event_id),
  constraint event_has_its_place unique (payee_id, resource_kind, resource_id, resource_sequence),
  constraint event_type_is_words_with_a_dot check (type ~ '^[a-z-]+[.][a-z-]+$'),
  constraint resource_sequence_is_positive check (resource_sequence > 0),
  constraint payload_is_an_object check (jsonb_typeof(payload) = 'object')
);
comment on table event is 'append-only: what happened';

-- The outbox: events that nobody has put in order and delivered yet.
create table event_pending (
  payee_id uuid not null,
  event_id uuid not null,
  happened_at timestamptz not null,

  primary key (payee_id, event_id)
);

-- How long the oldest has waited.
create index event_pending_by_time on event_pending (happened_at);
