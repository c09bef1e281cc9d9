-- Instruments and card ranges: what a card number becomes when it is stored. The database never sees the number itself: it
-- holds ciphertext and keyed digests.

-- A card, an account, an invoice's recipient, or an instrument of any other name, with texts that belong to it. Held once
-- for each payee; several tokens may point to it.
create table instrument (
  payee_id uuid not null constraint payee_exists references payee,
  instrument_id uuid not null,
  kind text not null,
  -- HMAC-SHA-256 of payee and number under a key of its own: finds an equal one, and means nothing beside another payee.
  fingerprint bytea not null,
  fingerprint_key_id text not null,
  -- The number, or what an account or an invoice consists of. The row's own data key is inside, wrapped by the key that
  -- the next column names.
  sealed bytea not null,
  card_data_key_id text not null,
  -- Cards only: what may be shown. No more than the first six and the last four digits (PCI DSS 4.0.1, 3.4.1).
  brand text,
  bin text,
  last_four text,
  card_type text,
  holder_type text,
  -- The issuing bank and its country, ISO 3166-1 numeric; null where the card ranges did not say.
  issuer_name text,
  country_code text,
  -- What a token is called where nobody names it.
  masked text not null,
  created_at timestamptz not null default kontor_now(),

  constraint instrument_pkey primary key (payee_id, instrument_id),
  constraint instrument_is_stored_once unique (payee_id, fingerprint),
  constraint instrument_kind_is_known check (kind in ('Card', 'BankAccount', 'Invoice', 'Other')),
  constraint fingerprint_is_a_sha_256 check (octet_length(fingerprint) = 32),
  constraint card_has_its_last_four check ((kind = 'Card') = (last_four is not null)),
  constraint last_four_is_four_digits check (last_four ~ '^[0-9]{4}$'),
  constraint bin_is_six_digits check (bin ~ '^[0-9]{6}$'),
  constraint card_type_is_known check (card_type in ('Debit', 'Credit')),
  constraint holder_type_is_known check (holder_type in ('Consumer', 'Corporate')),
  constraint country_code_is_three_digits check (country_code ~ '^[0-9]{3}$'),
  -- No text column holds a whole number: the longest run of digits is the first six.
  constraint masked_hides_the_number check (masked !~ '[0-9]{13}')
);

-- A rotation finds and counts the rows that use the old key. Rows of one key lie at the end, so an insert costs little.
create index instrument_by_card_data_key on instrument (card_data_key_id);
create index instrument_by_fingerprint_key on instrument (fingerprint_key_id);

-- What the first digits of a card tell (ISO/IEC 7812). The same for all payees.
create table card_range (
  -- At most eight digits, the longest issuer number; a card's longest matching prefix counts.
  prefix text not null,
  -- sandbox: the test cards, whose ranges alone are accepted there. operator: loaded from a file.
  source text not null,
  brand text not null,
  card_type text,
  holder_type text,
  issuer_name text,
  country_code text,

  constraint card_range_pkey primary key (prefix, source),
  constraint prefix_is_one_to_eight_digits check (prefix ~ '^[0-9]{1,8}$'),
  constraint source_is_known check (source in ('sandbox', 'operator')),
  constraint brand_is_not_empty check (brand <> ''),
  constraint card_type_is_known check (card_type in ('Debit', 'Credit')),
  constraint holder_type_is_known check (holder_type in ('Consumer', 'Corporate')),
  constraint country_code_is_three_digits check (country_code ~ '^[0-9]{3}$')
);
