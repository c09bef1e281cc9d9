-- People who sign in to the merchant portal: who they are, how they prove it, and where they are signed in.

create table portal_user (
  payee_id uuid not null references payee (payee_id),
  user_id uuid not null,
  name text not null,
  -- What they may do: src/portal-users/access.rules.ts says what that is.
  role text not null,
  -- Sealed by the key ring for this very row.
  email_sealed bytea not null,
  sealed_with text not null,
  -- A salted scrypt hash that begins with the version of its parameters; null until an invitation is accepted.
  password_hash text,
  created_at timestamptz not null default kontor_now(),
  created_by text not null,
  last_sign_in_at timestamptz,
  disabled_at timestamptz,

  primary key (payee_id, user_id),
  constraint name_has_1_to_100_characters check (char_length(name) between 1 and 100),
  constraint role_is_known check (role in ('administrator', 'finance', 'support', 'integrator', 'operator')),
  constraint operators_belong_to_the_operator
    check ((role = 'operator') = (payee_id = '00000000-0000-0000-0000-000000000000'))
);

create index portal_user_by_sealing on portal_user (sealed_with);

-- Finds the user by the keyed digest of an e-mail address: before somebody is known, no payee is.
create table portal_login (
  email_digest bytea not null,
  payee_id uuid not null,
  user_id uuid not null,

  primary key (email_digest),
  constraint user_exists foreign key (payee_id, user_id) references portal_user (payee_id, user_id),
  constraint user_has_one_login unique (payee_id, user_id),
  constraint email_digest_is_a_digest check (octet_length(email_digest) = 32)
);

-- The seed of an app that shows six digits (RFC 6238), sealed. A new one is pending until a first code has been seen.
create table portal_second_factor (
  payee_id uuid not null,
  user_id uuid not null,
  state text not null,
  seed_sealed bytea not null,
  sealed_with text not null,
  -- The latest half minute whose code was used: no code works twice, and none before it any more.
  last_step bigint not null default 0,
  -- Keyed by the seed, one for each code that is left.
  recovery_digests bytea[] not null default '{}',
  created_at timestamptz not null default kontor_now(),

  primary key (payee_id, user_id, state),
  constraint user_exists foreign key (payee_id, user_id) references portal_user (payee_id, user_id),
  constraint second_factor_state_is_known check (state in ('Pending', 'Confirmed'))
);

create index portal_second_factor_by_sealing on portal_second_factor (sealed_with);

-- A link that lets its holder choose the password of a user. The newest one counts; it is gone once it was used.
create table portal_invitation (
  payee_id uuid not null,
  user_id uuid not null,
  -- SHA-256 of a secret of 256 random bits.
  secret_hash bytea not null,
  created_at timestamptz not null default kontor_now(),
  created_by text not null,
  expires_at timestamptz not null,

  primary key (payee_id, user_id),
  constraint user_exists foreign key (payee_id, user_id) references portal_user (payee_id, user_id),
  constraint invitation_is_known_once unique (payee_id, secret_hash),
  constraint secret_hash_is_a_sha_256 check (octet_length(secret_hash) = 32),
  constraint expires_after_its_creation check (expires_at > created_at)
);

-- The time between signing in and out. A row is deleted when it ends.
create table portal_session (
  payee_id uuid not null,
  portal_session_id uuid not null,
  user_id uuid not null,
  -- SHA-256 of the cookie's value: 256 random bits.
  secret_hash bytea not null,
  created_at timestamptz not null default kontor_now(),
  -- When the password was given last.
  authenticated_at timestamptz not null default kontor_now(),
  -- Of the latest request, to half a minute.
  used_at timestamptz not null default kontor_now(),
  expires_at timestamptz not null,

  primary key (payee_id, portal_session_id),
  constraint user_exists foreign key (payee_id, user_id) references portal_user (payee_id, user_id),
  constraint session_is_known_once unique (payee_id, secret_hash),
  constraint secret_hash_is_a_sha_256 check (octet_length(secret_hash) = 32),
  constraint expires_after_its_creation check (expires_at > created_at)
);

create index portal_session_of_user on portal_session (payee_id, user_id);
-- Found across payees, to be deleted.
create index portal_session_by_expiry on portal_session (expires_at);

-- What the portal's page calls the API with: made for a portal session, and dead with it. Nobody else lists or rotates it.
alter table access_token add column portal_session_id uuid;
alter table hmac_key add column portal_session_id uuid;
create index access_token_of_portal_session on access_token (portal_session_id) where portal_session_id is not null;
create index hmac_key_of_portal_session on hmac_key (portal_session_id) where portal_session_id is not null;
-- What has expired is found across payees, and deleted.
drop index access_token_of_client_by_expiry;
create index access_token_short_lived_by_expiry on access_token (expires_at)
  where oauth_client_id is not null or portal_session_id is not null;
create index hmac_key_of_portal_session_by_expiry on hmac_key (expires_at) where portal_session_id is not null;
