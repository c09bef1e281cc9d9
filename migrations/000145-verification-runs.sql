-- Each run of `kontor ledger verify`: when, by whom, and what it found. `ledger_verification` keeps what the last one found, for
-- the metrics and for instances of the version before.
create table ledger_verification_run (
  -- The operator: the invariants are those of all payees together.
  payee_id uuid not null,
  run_id uuid not null,
  -- The instant as of which the books were read.
  verified_at timestamptz not null,
  actor text not null,
  invariants integer not null,
  broken integer not null,
  -- The first row that breaks an invariant, as in `account 0190…`.
  bad_row text,

  constraint ledger_verification_run_pkey primary key (payee_id, run_id),
  constraint broken_are_some_of_the_invariants check (broken between 0 and invariants),
  constraint bad_row_says_what_is_broken check ((broken > 0) = (bad_row is not null))
);

create index ledger_verification_run_by_time on ledger_verification_run (payee_id, verified_at desc, run_id desc);
