-- What a stored card is charged by when its payer is not there: the name that the card's scheme gave the payment which
-- stored it first. A payment by the merchant has to give it (CIT and MIT frameworks of the schemes).
create table stored_credential (
  payee_id uuid not null,
  token uuid not null,
  scheme_transaction_id text not null,
  -- Who made that payment; null where the token was imported.
  acquirer text,
  created_at timestamptz not null default kontor_now(),

  constraint stored_credential_pkey primary key (payee_id, token),
  constraint scheme_transaction_id_is_visible check (scheme_transaction_id ~ '^[!-~]{1,40}$')
);

-- Cards that a payee may not charge by itself for a while: an issuer has said never to try it again. Their holders can
-- still pay.
create table blocked_card (
  payee_id uuid not null,
  -- Keyed digest of the number, as in card_transaction.
  card_digest bytea not null,
  blocked_until timestamptz not null,

  constraint blocked_card_pkey primary key (payee_id, card_digest),
  constraint card_digest_is_a_sha_256 check (octet_length(card_digest) = 32)
);

alter table card_transaction
  -- Whether its payer has chosen the card among those that were stored before: an issuer is told so, also after the payer
  -- has authenticated.
  add column is_stored boolean not null default false,
  -- What a capture releases of the hold with what it takes.
  add column released bigint not null default 0,
  add constraint released_is_an_amount check (released between 0 and 999999999999) not valid;

-- How the card came, as the acquirer was told (ISO 8583, field 22): what follows the payment says the same. Null of
-- exchanges from before.
alter table acquirer_exchange add column point_of_service text;
