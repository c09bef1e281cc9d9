-- Why a portal session ended before its time, so that a page that still has its cookie can say so. A session's own row goes
-- when it ends, as ever: nothing here lets anybody in.
create table portal_session_end (
  payee_id uuid not null,
  -- Of the cookie, as in portal_session.
  secret_hash bytea not null,
  reason text not null,
  ended_at timestamptz not null default kontor_now(),

  primary key (payee_id, secret_hash),
  constraint payee_exists foreign key (payee_id) references payee (payee_id),
  constraint secret_hash_is_a_sha_256 check (octet_length(secret_hash) = 32),
  constraint reason_is_known check (reason in ('signed-out', 'password', 'role', 'disabled'))
);

-- Found across payees, to be deleted.
create index portal_session_end_by_time on portal_session_end (ended_at);
