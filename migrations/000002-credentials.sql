-- The credentials of merchants and of the operator: access tokens, OAuth clients, HMAC keys, and the counters that limit
-- wrong ones. Whatever can be checked by its digest is stored as a digest only; an HMAC secret has to be computed with,
-- so it is stored sealed by the key ring.

create table oauth_client (
  payee_id uuid not null constraint payee_exists references payee,
  -- Holds the payee too (kc_<payee>_<random>), so that a client is found by (payee_id, client_id) like everything else.
  client_id text not null,
  -- SHA-256 of a secret of 256 random bits: nothing to guess, so nothing to stretch.
  secret_hash bytea not null,
  name text not null,
  scopes text[] not null,
  created_at timestamptz not null default kontor_now(),
  created_by text not null,
  revoked_at timestamptz,

  constraint oauth_client_pkey primary key (payee_id, client_id),
  constraint client_id_is_letters_digits_dashes check (client_id ~ '^[A-Za-z0-9_-]{1,80}$'),
  constraint secret_hash_is_a_sha_256 check (octet_length(secret_hash) = 32),
  constraint name_has_1_to_100_characters check (char_length(name) between 1 and 100),
  constraint scopes_are_not_empty check (cardinality(scopes) > 0)
);

create table access_token (
  payee_id uuid not null constraint payee_exists references payee,
  access_token_id uuid not null,
  -- SHA-256 of the whole token as it is sent.
  secret_hash bytea not null,
  name text not null,
  scopes text[] not null,
  created_at timestamptz not null default kontor_now(),
  created_by text not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- A day is enough to see whether a token is still in use, and costs one write a day.
  last_used_on date,
  -- The client that got the token from POST /oauth/token; null for one that a person made.
  oauth_client_id text,
  -- What a page of the portal calls the API with is made for a portal session, and dead with it. Nobody else lists it.
  portal_session_id uuid,

  constraint access_token_pkey primary key (payee_id, access_token_id),
  constraint secret_hash_is_known_once unique (payee_id, secret_hash),
  constraint oauth_client_exists foreign key (payee_id, oauth_client_id) references oauth_client,
  constraint secret_hash_is_a_sha_256 check (octet_length(secret_hash) = 32),
  constraint name_has_1_to_100_characters check (char_length(name) between 1 and 100),
  constraint scopes_are_not_empty check (cardinality(scopes) > 0),
  constraint expires_after_its_creation check (expires_at > created_at),
  -- In UTC, because there a month's length does not depend on anybody's summer time.
  constraint lives_at_most_twelve_months
    check (expires_at at time zone 'UTC' <= created_at at time zone 'UTC' + interval '12 months')
);

-- Revoking a client revokes its tokens.
create index access_token_of_client on access_token (payee_id, oauth_client_id) where oauth_client_id is not null;

create index access_token_of_portal_session on access_token (portal_session_id) where portal_session_id is not null;

-- Clients fetch a token every hour or oftener: what has expired is found across payees and deleted.
create index access_token_short_lived_by_expiry on access_token (expires_at)
  where oauth_client_id is not null or portal_session_id is not null;

create table hmac_key (
  payee_id uuid not null constraint payee_exists references payee,
  -- The `user` of the Hmac header; without a colon, which separates its fields.
  key_id text not null,
  -- Sealed by the key ring for this very row: it opens neither in another row nor for another payee.
  secret_sealed bytea not null,
  -- The key of the ring that it is sealed with, so that a rotation finds and counts what is left to do.
  sealed_with text not null,
  created_at timestamptz not null default kontor_now(),
  created_by text not null,
  -- Set on the old key when a rotation puts a new one beside it; null: valid until it is revoked.
  expires_at timestamptz,
  revoked_at timestamptz,
  -- As that of an access token.
  portal_session_id uuid,

  constraint hmac_key_pkey primary key (payee_id, key_id),
  constraint key_id_is_letters_digits_dashes check (key_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  constraint expires_after_its_creation check (expires_at > created_at)
);

create index hmac_key_by_sealing on hmac_key (sealed_with);
create index hmac_key_of_portal_session on hmac_key (portal_session_id) where portal_session_id is not null;
create index hmac_key_of_portal_session_by_expiry on hmac_key (expires_at) where portal_session_id is not null;

-- Counters of attempts that several instances must share: one row for each subject, with its current window. In the
-- database because a limit that holds per instance is no limit to whoever can choose the instance.
create table attempt (
  payee_id uuid not null constraint payee_exists references payee,
  -- What is limited, as in oauth-client-authentication.
  kind text not null,
  -- A digest of whoever or whatever is limited: a network, later a log-in name or a card.
  subject bytea not null,
  window_starts_at timestamptz not null,
  window_ends_at timestamptz not null,
  count integer not null,

  constraint attempt_pkey primary key (payee_id, kind, subject),
  constraint kind_is_words_with_dashes check (kind ~ '^[a-z]+(-[a-z]+)*$'),
  constraint subject_is_a_digest check (octet_length(subject) = 32),
  constraint window_ends_after_its_start check (window_ends_at > window_starts_at),
  constraint count_is_positive check (count > 0)
);

-- Old windows are found across payees and deleted. Counting within a window does not touch this index.
create index attempt_by_window_end on attempt (window_ends_at);
