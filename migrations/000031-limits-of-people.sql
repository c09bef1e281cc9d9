-- How much people give away by pages of the portal: up to the first limit at once, up to the second one with their password,
-- and above it with the consent of another person.

-- Limits of a payee in whole units of the currency (crowns, euros); `*` is every currency without a row of its own. Null: none.
create table giving_limit (
  payee_id uuid not null constraint payee_exists references payee,
  currency text not null,
  confirm_above bigint,
  second_person_above bigint,

  primary key (payee_id, currency),
  constraint currency_is_a_code_or_all check (currency ~ '^([A-Z]{3}|[*])$'),
  constraint limits_are_not_below_zero check (confirm_above >= 0 and second_person_above >= 0),
  constraint second_person_comes_after_the_password check (confirm_above <= second_person_above)
);

-- What people gave away by pages lately, so that many small amounts count as one. A day later it is deleted.
create table giving (
  payee_id uuid not null constraint payee_exists references payee,
  giving_id uuid not null,
  -- As the audit trail names them: portal-user:<id>.
  person text not null,
  currency text not null,
  amount bigint not null,
  given_at timestamptz not null default kontor_now(),

  primary key (payee_id, giving_id),
  constraint amount_is_not_below_zero check (amount >= 0)
);
create index giving_of_person on giving (payee_id, person, currency, given_at);

-- What somebody asked for above the second limit, until another person has said yes or no.
create table pending_change (
  payee_id uuid not null constraint payee_exists references payee,
  change_id uuid not null,
  -- The operation of the API, and what its address names.
  operation_id text not null,
  object_id text,
  currency text not null,
  amount bigint not null,
  -- The request as it was checked, sealed for this very row: it may hold an e-mail address or the number of a gift card.
  -- Gone when nobody needs it any more.
  request_sealed bytea,
  sealed_with text,
  -- What makes repeating the request safe: asking twice is asking once.
  reference text not null,
  asked_by text not null,
  asked_at timestamptz not null default kontor_now(),
  expires_at timestamptz not null,
  -- Approved: agreed to, and not carried out yet. Impossible: agreed to, and refused when it was carried out.
  state text not null default 'Pending',
  decided_by text,
  decided_at timestamptz,
  -- The code of the problem that made it impossible.
  problem text,
  event_sequence bigint not null default 1,

  primary key (payee_id, change_id),
  constraint state_is_known check (state in ('Pending', 'Approved', 'Done', 'Refused', 'Impossible')),
  constraint decisions_have_a_person check ((state = 'Pending') = (decided_by is null)),
  constraint two_persons check (state = 'Refused' or decided_by <> asked_by),
  constraint expires_after_it_was_asked check (expires_at > asked_at)
);
create unique index pending_change_asked_once on pending_change (payee_id, asked_by, operation_id, reference)
  where state = 'Pending';
create index pending_change_by_sealing on pending_change (sealed_with) where request_sealed is not null;
