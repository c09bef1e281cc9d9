-- Agreements that payments were made under, as the file of acquirers named them when the service started. What follows a
-- payment goes to its agreement: a start that misses one, or finds another in its place, can be refused without a look at
-- all payments.

create table acquirer_agreement (
  payee_id uuid not null,
  agreement text not null,
  acquirer text not null,
  -- The payee's number at the acquirer.
  merchant_id text not null,
  noted_at timestamptz not null default kontor_now(),

  constraint acquirer_agreement_pkey primary key (payee_id, agreement)
);
