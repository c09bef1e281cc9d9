-- stops portal_session_end: it has the sessions that ended within a day
-- The second factor cannot be guessed: a right password with a wrong code counts for the user, whatever network it comes from.

-- A user with whose password wrong codes came, or of whom events tell.
create table portal_user_watch (
  payee_id uuid not null,
  user_id uuid not null,
  -- Wrong codes of one day. The last one that is allowed closes the user, until a new password is set.
  wrong_codes integer not null default 0,
  -- When the day of these began; null where there is none.
  wrong_codes_since timestamptz,
  closed_at timestamptz,
  -- Those since the user signed in last: the next session tells of them.
  untold_wrong_codes integer not null default 0,
  untold_since timestamptz,
  -- Number of the user's latest event.
  event_sequence bigint not null default 0,

  constraint portal_user_watch_pkey primary key (payee_id, user_id),
  constraint user_exists foreign key (payee_id, user_id) references portal_user,
  constraint wrong_codes_are_counted_from_a_time
    check ((wrong_codes > 0) = (wrong_codes_since is not null) and wrong_codes >= 0),
  constraint untold_wrong_codes_are_counted_from_a_time
    check ((untold_wrong_codes > 0) = (untold_since is not null) and untold_wrong_codes >= 0)
);

-- Wrong codes that a session tells its user of. It goes with the session.
create table portal_session_warning (
  payee_id uuid not null,
  portal_session_id uuid not null,
  wrong_codes integer not null,
  wrong_codes_since timestamptz not null,

  constraint portal_session_warning_pkey primary key (payee_id, portal_session_id),
  constraint session_exists foreign key (payee_id, portal_session_id) references portal_session on delete cascade,
  constraint wrong_codes_are_positive check (wrong_codes > 0)
);

-- Networks that a user signed in from. There, wrong passwords from elsewhere do not lock the user out. 90 days later a row is deleted.
create table portal_known_network (
  payee_id uuid not null,
  user_id uuid not null,
  -- Keyed: an address is personal, and can be tried.
  network_digest bytea not null,
  signed_in_at timestamptz not null default kontor_now(),

  constraint portal_known_network_pkey primary key (payee_id, user_id, network_digest),
  constraint user_exists foreign key (payee_id, user_id) references portal_user,
  constraint network_digest_is_a_digest check (octet_length(network_digest) = 32)
);
-- Found across payees, to be deleted.
create index portal_known_network_by_time on portal_known_network (signed_in_at);

-- The other sessions of a user end when the second factor is replaced, and say so.
alter table portal_session_end drop constraint reason_is_known;
alter table portal_session_end add constraint reason_is_known
  check (reason in ('signed-out', 'password', 'second-factor', 'role', 'disabled'));
