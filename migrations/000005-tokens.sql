-- Payer tokens: what a payer has stored with a payee. A token only goes Active -> Archived -> Deleted, and its row stays
-- as a tombstone: so a repeated deletion answers alike, and a deleted token does not come back with a later import.

-- A payer has a row of its own so that there is something to lock: whoever makes tokens and whoever archives all of
-- them take this lock, so that afterwards no older token is active.
create table payer (
  payee_id uuid not null constraint payee_exists references payee,
  payer_reference text not null,
  first_seen_at timestamptz not null default kontor_now(),

  constraint payer_pkey primary key (payee_id, payer_reference),
  constraint payer_reference_has_1_to_128_characters check (char_length(payer_reference) between 1 and 128)
);

create table payer_token (
  payee_id uuid not null,
  -- The GUID that the payee knows. Random (UUID version 4) or kept from an import; unique within the payee.
  token uuid not null,
  token_type text not null,
  payer_reference text not null,
  -- As on the wire: CreditCard, BankAccount, Invoice-<variant>.
  instrument text not null,
  -- The vault's row; null once the token is deleted, so that the vault may destroy what nobody uses any more.
  instrument_id uuid,
  -- The instrument's id, which stays when the instrument goes.
  correlation_id uuid not null,
  display_name text not null,
  -- MM/YYYY. On the token and not on the instrument: a card that is renewed keeps its number.
  expiry_date text,
  network_token_last_four text,
  network_token_expiry_date text,
  -- Copies that the tombstone keeps.
  card_brand text,
  last_four text,
  state text not null default 'Active',
  archived_by text,
  archive_reason text,
  archived_at timestamptz,
  deleted_at timestamptz,
  delete_comment text,
  created_at timestamptz not null,
  imported boolean not null default false,
  -- Keyed digests of who, what and which instrument, and of the whole line of an import. The key is in the key ring.
  identity_digest bytea not null,
  content_digest bytea,
  -- Number of the latest event. Tokens that came by import have none yet.
  event_sequence bigint not null default 0,

  constraint payer_token_pkey primary key (payee_id, token),
  constraint payer_exists foreign key (payee_id, payer_reference) references payer,
  constraint instrument_exists foreign key (payee_id, instrument_id) references instrument,
  constraint token_type_is_known check (token_type in ('Payment', 'Recurrence', 'TransactionOnFile', 'Unscheduled')),
  constraint token_state_is_known check (state in ('Active', 'Archived', 'Deleted')),
  constraint display_name_has_1_to_100_characters check (char_length(display_name) between 1 and 100),
  constraint archived_token_says_by_whom_and_why check (
    state <> 'Archived' or (archived_by is not null and archive_reason is not null and archived_at is not null)
  ),
  constraint active_token_was_not_archived check (state <> 'Active' or archived_by is null),
  constraint archiver_is_known check (archived_by in ('PAYEE', 'SERVICE_OPERATOR', 'TOKEN_ISSUER')),
  constraint deleted_token_has_no_instrument check ((state = 'Deleted') = (instrument_id is null)),
  constraint deleted_token_says_when check ((state = 'Deleted') = (deleted_at is not null)),
  constraint expiry_is_month_and_year check (expiry_date ~ '^(0[1-9]|1[0-2])/20[0-9]{2}$'),
  constraint event_sequence_not_negative check (event_sequence >= 0)
);

-- On an empty table every index that can be used at all costs the same to PostgreSQL, and a plan that is made then stays
-- until the table is analysed: an index that begins with the payee would be taken in place of the primary key, and a look-up
-- read all of the payee's tokens. So the next two do not begin with it. Of payers of one reference there are few, and a
-- digest has the payee in it.

-- A payer's list, newest first, without the tombstones.
create index payer_token_by_payer on payer_token (payer_reference, payee_id, created_at desc, token desc)
  where state <> 'Deleted';

-- What an import asks for a line without a GUID.
create index payer_token_by_identity on payer_token (identity_digest);

-- Whether an instrument is still in use.
create index payer_token_by_instrument on payer_token (payee_id, instrument_id) where instrument_id is not null;
