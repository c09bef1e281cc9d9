-- 3-D Secure: how payers are authenticated, which cards take part, and when directory servers were asked for these.
create table authentication (
  payee_id uuid not null,
  -- A UUID of version 4 of ours: results of challenges name it alone, without the payee.
  three_ds_server_trans_id uuid not null,
  payment_id uuid not null,
  transaction_id uuid not null,
  scheme text not null,
  version text not null,
  -- Only forward: Created, Method, Requested, Challenge, and then one of the ends.
  state text not null,
  -- Where a browser goes before the question, and for the challenge. No secrets.
  method_url text,
  acs_url text,
  ds_trans_id uuid,
  acs_trans_id uuid,
  trans_status text,
  reason text,
  eci text,
  cardholder_info text,
  -- The value that proves it to an acquirer, sealed and bound to this row; erased when the acquirer has answered.
  value_sealed bytea,
  sealed_with text,
  challenge_wanted boolean not null,
  challenge_shown boolean not null default false,
  -- SHA-256 of the result that came, to tell a repeated one from another one.
  result_digest bytea,
  created_at timestamptz not null,
  -- When a job ends it; null once it has ended and nothing of it has to be looked after.
  expires_at timestamptz,

  constraint authentication_pkey primary key (payee_id, three_ds_server_trans_id),
  constraint authentication_is_of_a_transaction
    foreign key (payee_id, transaction_id) references card_transaction (payee_id, transaction_id) on delete cascade,
  constraint authentication_state check (state in ('Created', 'Method', 'Requested', 'Challenge', 'Succeeded', 'Attempted',
    'Failed', 'Rejected', 'Unavailable', 'Cancelled', 'Expired')),
  constraint authentication_value_is_sealed_with_one check ((value_sealed is null) = (sealed_with is null)),
  constraint authentication_value_proves_an_end check (value_sealed is null or state in ('Succeeded', 'Attempted')),
  constraint authentication_challenge_has_an_address check (state <> 'Challenge' or (acs_url is not null and acs_trans_id is not null))
);

create index authentication_by_transaction on authentication (payee_id, transaction_id, created_at);
create index authentication_by_server_trans_id on authentication (three_ds_server_trans_id);
create index authentication_by_expiry on authentication (expires_at) where expires_at is not null;
create index authentication_by_key on authentication (sealed_with) where sealed_with is not null;

-- One row for each scheme whose directory server was asked for its cards.
create table three_ds_directory (
  scheme text not null,
  -- Another address is another server: it is asked at once.
  url text not null,
  -- What it calls the state of its cards that we have; null: none yet.
  serial_number text,
  -- The last question, of any instance, and the last answer.
  asked_at timestamptz not null,
  prepared_at timestamptz,

  constraint three_ds_directory_pkey primary key (scheme)
);

-- Cards whose issuers take part, as a scheme's directory server said. Both ends have as many digits as the cards, and sort as
-- texts; ranges do not overlap.
create table three_ds_range (
  scheme text not null,
  start_range text collate "C" not null,
  end_range text collate "C" not null,
  method_url text,

  constraint three_ds_range_pkey primary key (scheme, start_range, end_range),
  constraint three_ds_range_is_a_range check (length(start_range) = length(end_range) and start_range <= end_range)
);
