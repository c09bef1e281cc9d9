-- What the last `kontor ledger verify` found. The command writes it; every instance shows it as a metric, so that an alert
-- tells of books that are wrong, and of books that nobody looked at.

create table ledger_verification (
  -- The operator: the invariants are those of all payees together.
  payee_id uuid primary key,
  -- The instant as of which the books were read, by the server's own clock: a check is as old as it is.
  verified_at timestamptz not null,
  invariants integer not null,
  broken integer not null,

  constraint broken_are_some_of_the_invariants check (broken between 0 and invariants)
);
