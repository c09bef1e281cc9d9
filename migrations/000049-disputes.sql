-- What holders of cards have asked back through their banks.

create table dispute (
  payee_id uuid not null constraint payee_exists references payee,
  dispute_id uuid not null,
  acquirer text not null,
  agreement text not null,
  -- As the acquirer names it.
  case_id text not null,
  attempt_id uuid not null,
  payment_id uuid not null,
  transaction_id uuid,
  stage text not null,
  state text not null,
  -- As it came, and what kind of reason that is at its scheme; null where that is not known.
  reason_code text,
  category text,
  amount bigint not null,
  currency text not null,
  respond_by date,
  opened_at timestamptz not null,
  updated_at timestamptz not null,
  event_sequence bigint not null,

  constraint dispute_pkey primary key (payee_id, dispute_id),
  constraint case_is_one_dispute unique (payee_id, acquirer, case_id),
  constraint dispute_stage_is_known check (stage in ('Retrieval', 'Chargeback', 'PreArbitration', 'Arbitration')),
  constraint dispute_state_is_known check (state in ('Open', 'Accepted', 'Represented', 'Won', 'Lost')),
  constraint dispute_category_is_known check (category in ('Fraud', 'Authorization', 'Processing', 'Consumer')),
  constraint disputed_amount_is_an_amount check (amount between 0 and 999999999999),
  constraint updated_not_before_opened check (updated_at >= opened_at)
);

-- A payee's disputes, the latest first, and those of a payment.
create index dispute_by_time on dispute (payee_id, opened_at desc, dispute_id);
create index dispute_by_payment on dispute (payee_id, payment_id);

-- What of a payment is open, accepted or lost: it cannot be given back a second time.
alter table card_payment
  add column disputed bigint not null default 0,
  add constraint disputed_not_negative check (disputed >= 0) not valid;
