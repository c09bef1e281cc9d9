-- The ledger: accounts, references, and where the money went. Balances are cached on the account, whose row is the only
-- lock: a payment, its hold and its counters change under it alone. Entries are added and never changed.

-- A stored-value account of our own, or the shadow of a card that an external issuer decides on.
create table account (
  payee_id uuid not null constraint payee_exists references payee,
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
  -- Nothing is booked on the account any more: it is empty, and stays so.
  closed_at timestamptz,

  constraint account_pkey primary key (payee_id, account_id),
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
  constraint strikes_not_negative check (strikes >= 0),
  constraint closed_account_is_empty check (closed_at is null or (available = 0 and held = 0))
)
-- Room for the new versions of hot rows on the same page, so that their indexes stay as they are.
with (fillfactor = 60);

-- A connection makes the plan for a foreign key once, perhaps while there is no account. Then all indexes that begin with
-- the payee cost the same to PostgreSQL, and of equal ones it takes the newest: this one, in which it would walk through
-- all accounts of the payee for each card. A partial index is out of the question for it, and is as good where a number is
-- looked for.
create unique index number_has_one_account on account (payee_id, number_digest) where number_digest is not null;

-- Payments and entries point here without a foreign key, which would look the account up and lock it once more for each: 5
-- microseconds of the 90 that the database works for a payment on a hot account. They are written while the account's row
-- is locked, so it is there. That it stays is held here, where it costs a payment nothing; `kontor ledger verify` looks at
-- both.
create trigger account_stays
  before delete or truncate on account
  for each statement execute function refuse_to_change_the_past();
create trigger account_keeps_its_id
  before update of payee_id, account_id on account
  for each statement execute function refuse_to_change_the_past();

-- Holds of accounts that nobody touches: the job looks for them here, across payees.
create index account_by_hold_expiry on account (next_hold_expires_at) where next_hold_expires_at is not null;

-- A payee's references, each taken once and for ever. To add a row is to take it: whoever comes second waits until the
-- first one has committed, and then sees what became of it. It is taken before its payment is made, so it cannot point to it.
-- A command may take several.
create table reference (
  payee_id uuid not null,
  -- References of different scopes do not meet. payment: an account payment's. nonce: of a signed request without a
  -- reference of its own. new-gift-card: an Idempotency-Key of that endpoint. pre-deposit: the payee's reference there.
  -- gift-card: of a change in a card's life. card-payment: the payee's reference of an operation, as
  -- <operation>:<reference>. card-payment-key: an Idempotency-Key, as <endpoint>:<key>.
  scope text not null,
  reference text not null,
  -- The command that took it, so that it knows its own effect when it runs again.
  command_id uuid not null,
  -- Null where it stands for no payment.
  payment_id uuid,
  -- Null where it stands for the payment itself.
  transaction_id uuid,

  constraint reference_pkey primary key (payee_id, scope, reference),
  constraint scope_is_known check (
    scope in ('payment', 'nonce', 'new-gift-card', 'pre-deposit', 'gift-card', 'card-payment', 'card-payment-key')
  ),
  -- Without a bounded repetition, which the engine of regular expressions counts one by one: 6.6 microseconds for each
  -- reference instead of 0.4.
  constraint reference_is_well_formed check (
    case when scope in ('payment', 'pre-deposit', 'gift-card')
      then length(reference) between 1 and 64 and reference !~ '[^A-Za-z0-9._-]'
      else length(reference) between 1 and 129 and reference !~ '[^!-~]' end
  ),
  constraint nonce_and_change_stand_for_no_payment check ((scope in ('nonce', 'gift-card')) = (payment_id is null))
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

  constraint movement_pkey primary key (payee_id, movement_id),
  constraint movement_kind_is_known check (
    kind in ('Authorize', 'Capture', 'Cancel', 'Expire', 'Purchase', 'Deposit', 'Credit', 'Reversal', 'Sweep', 'Merge',
      'Opening')
  )
);
comment on table movement is 'append-only: money that moved';

-- Reports ask what has moved since an instant. Movements are added in the order of their time, so a few bytes for each
-- stretch of the table tell where to look, and adding one costs nothing.
create index movement_by_time on movement using brin (happened_at) with (autosummarize = on);

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

  constraint entry_pkey primary key (payee_id, movement_id, line),
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

-- What the last `kontor ledger verify` found. The command writes it; every instance shows it as a metric, so that an alert
-- tells of books that are wrong, and of books that nobody looked at.
create table ledger_verification (
  -- The operator: the invariants are those of all payees together.
  payee_id uuid not null,
  -- The instant as of which the books were read, by the server's own clock: a check is as old as it is.
  verified_at timestamptz not null,
  invariants integer not null,
  broken integer not null,

  constraint ledger_verification_pkey primary key (payee_id),
  constraint broken_are_some_of_the_invariants check (broken between 0 and invariants)
);
