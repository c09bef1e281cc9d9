-- What external issuers were asked: written before the call, so that a crash between the call and its answer leaves a
-- trace, and a job can have the issuer take the payment back.

create table issuer_attempt (
  payee_id uuid not null,
  -- The issuer knows it too: a reversal names it.
  attempt_id uuid not null,
  payment_id uuid not null,
  -- Of the payment: whoever settles the attempt locks it.
  account_id uuid not null,
  issuer text not null,
  state text not null,
  -- When the job looks after it: the deadline of the answer, then the next try of a reversal. Null once nothing is left to do.
  due_at timestamptz,
  tries integer not null default 0,
  created_at timestamptz not null,

  primary key (payee_id, attempt_id),
  constraint attempt_state_is_known check (state in ('CALLING', 'SETTLED', 'REVERSING', 'REVERSED')),
  constraint open_attempt_is_due check ((due_at is null) = (state in ('SETTLED', 'REVERSED')))
);

-- The job takes what is due, across payees.
create index issuer_attempt_by_due on issuer_attempt (due_at) where due_at is not null;
