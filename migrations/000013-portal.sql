-- The merchant portal: people who sign in, who they are, how they prove it and where they are signed in; what its pages show.

create table portal_user (
  payee_id uuid not null constraint payee_exists references payee,
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

  constraint portal_user_pkey primary key (payee_id, user_id),
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

  constraint portal_login_pkey primary key (email_digest),
  constraint user_exists foreign key (payee_id, user_id) references portal_user,
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

  constraint portal_second_factor_pkey primary key (payee_id, user_id, state),
  constraint user_exists foreign key (payee_id, user_id) references portal_user,
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

  constraint portal_invitation_pkey primary key (payee_id, user_id),
  constraint user_exists foreign key (payee_id, user_id) references portal_user,
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

  constraint portal_session_pkey primary key (payee_id, portal_session_id),
  constraint user_exists foreign key (payee_id, user_id) references portal_user,
  constraint session_is_known_once unique (payee_id, secret_hash),
  constraint secret_hash_is_a_sha_256 check (octet_length(secret_hash) = 32),
  constraint expires_after_its_creation check (expires_at > created_at)
);

create index portal_session_of_user on portal_session (payee_id, user_id);
-- Found across payees, to be deleted.
create index portal_session_by_expiry on portal_session (expires_at);

-- Lists of the portal as a user wants to see them again. They are the user's alone, on the pages of one payee.

create table portal_view (
  payee_id uuid not null constraint payee_exists references payee,
  view_id uuid not null,
  user_id uuid not null,
  name text not null,
  page text not null,
  -- Of the page's address, without the question mark.
  query text not null,
  created_at timestamptz not null default kontor_now(),

  constraint portal_view_pkey primary key (payee_id, view_id),
  constraint name_is_not_empty check (name <> ''),
  constraint page_is_known check (page in ('payments', 'calls', 'movements', 'gift-cards'))
);
create index portal_view_by_user on portal_view (payee_id, user_id, view_id);

-- What a payee's programs have sent to the API lately, for whoever wants to know why a request failed. Masked before it
-- is kept: a member that is not known to be harmless is hidden. Rows are deleted after some days.

create table api_call (
  payee_id uuid not null constraint payee_exists references payee,
  -- UUID version 7, made when the answer was sent.
  call_id uuid not null,
  -- When the request came.
  happened_at timestamptz not null,
  session_id uuid not null,
  method text not null,
  -- Template of the address.
  route text not null,
  operation_id text,
  status integer not null,
  duration_ms integer not null,
  credential text not null,
  -- Code of the problem.
  problem text,
  -- The payment or gift card that it was about.
  resource_id uuid,
  address text not null,
  headers jsonb not null,
  -- A JSON null where there was none.
  request_body jsonb not null,
  answer_body jsonb not null,

  constraint api_call_pkey primary key (payee_id, call_id),
  constraint status_is_of_http check (status between 100 and 599)
);
create index api_call_by_session on api_call (payee_id, session_id);
create index api_call_by_resource on api_call (payee_id, resource_id) where resource_id is not null;

-- Calls that were left out because there were too many at once.
create table api_call_gap (
  payee_id uuid not null constraint payee_exists references payee,
  minute timestamptz not null,
  calls bigint not null,

  constraint api_call_gap_pkey primary key (payee_id, minute)
);

-- What the portal's lists of payments need beside the primary keys, whose order is that of time. Each states a
-- condition that only the portal's statements state: else a connection that plans while a table is empty might take one of
-- them for a payment's own id, and walk all payments for each.

-- By state and kind, the newest first in each. Always added to at the same few places: 1.3 microseconds and 170 bytes of
-- log for each payment.
create index payment_by_state on payment (payee_id, state, operation, payment_id)
  where state <> 'CALLING';
-- By the order's reference, or its beginning. 8 microseconds and 2 kB of log for each payment where references are
-- random, and a fraction of it where they rise.
create index payment_by_order on payment (payee_id, payment_order_ref collate "C")
  where payment_order_ref <> '';

create index card_payment_by_state
  on card_payment (payee_id, state, (paid_by is null), operation, payment_id) where operation <> '';
-- What was given back whole is one of these.
create index card_payment_reversed on card_payment (payee_id, payment_id) where reversed > 0;
create index card_payment_by_number on card_payment (payee_id, number) where number > 0;
create index card_payment_by_order
  on card_payment (payee_id, ((terms #>> '{payeeInfo,orderReference}') collate "C"))
  where (terms #>> '{payeeInfo,orderReference}') is not null;

-- The movements of a payment.
create index movement_by_payment on movement (payee_id, payment_id) where payment_id is not null;

-- The steps of a gift card.
create index gift_card_step_by_card on gift_card_step (payee_id, account_id) where step <> '';

-- Payers by the beginning of their reference.
create index payer_by_beginning on payer (payee_id, payer_reference collate "C")
  where payer_reference <> '';
