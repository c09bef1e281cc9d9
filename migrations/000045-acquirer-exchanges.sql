-- What acquirers were sent, and what they said to it. A row is written with its attempt, before the question is put, so
-- that any instance can take the attempt back or repeat an advice from here alone, without the card.

create table acquirer_exchange (
  payee_id uuid not null,
  attempt_id uuid not null,
  -- The question of the attempt, or its taking back.
  kind text not null,
  acquirer text not null,
  agreement text not null,
  -- The payee's number at the acquirer as it was then: what follows the payment names it too.
  merchant_id text not null,
  terminal_id text not null,
  operation text not null,
  -- System trace audit number. With terminal and time it names the exchange for ever.
  stan text not null,
  sent_at timestamptz not null,
  retrieval_reference text not null,
  amount bigint not null,
  currency text not null,
  -- The attempt that the payment was made by; null for that itself.
  original_attempt_id uuid,
  state text not null default 'Stored',
  -- What the answer said. Null where there was none, or it said nothing of this.
  action_code text,
  scheme_code text,
  approval_code text,
  acquirer_reference text,
  scheme_transaction_id text,
  -- Whether the card may be tried again, and after how many hours.
  retry text,
  retry_after_hours integer,
  -- The acquirer's day of settlement. Set once, with the answer.
  business_day date,
  answered_at timestamptz,

  constraint acquirer_exchange_pkey primary key (payee_id, attempt_id, kind),
  constraint exchange_kind_is_known check (kind in ('Ask', 'TakeBack')),
  constraint exchange_state_is_known
    check (state in ('Stored', 'NotSent', 'Forwarded', 'Answered', 'Silent', 'Abandoned')),
  constraint stan_has_six_digits check (stan ~ '^[0-9]{6}$' and stan <> '000000'),
  constraint exchange_amount_not_negative check (amount >= 0),
  constraint retry_is_known check (retry in ('Never', 'Later', 'NewData', 'AfterAuthentication'))
);

-- Two instances that gave one number to two messages would have the acquirer answer the second as it did the first. The
-- payee comes last: a look-up by payee and attempt must have one index alone that it can take.
create unique index exchange_is_named_once on acquirer_exchange (acquirer, terminal_id, stan, sent_at);

-- Until now the only issuer elsewhere was the sandbox's, which looks at none of this: what follows a payment needs a row.
insert into acquirer_exchange (payee_id, attempt_id, kind, acquirer, agreement, merchant_id, terminal_id, operation, stan,
  sent_at, retrieval_reference, amount, currency, original_attempt_id, state)
select a.payee_id, a.attempt_id, 'Ask', a.issuer, a.issuer, '000000000000001', 'SANDBOX1',
  case coalesce(t.type, s.operation, p.operation) when 'Cancellation' then 'Cancel' when 'Verification' then 'Verify'
    when 'Authorization' then case c.intent when 'AutoCapture' then 'Purchase' else 'Authorize' end
    else coalesce(t.type, s.operation, p.operation) end,
  n.stan, date_trunc('second', a.created_at), lpad(n.stan, 12, '0'), coalesce(t.amount, s.amount, p.amount),
  coalesce(c.currency, p.currency),
  case when a.subject = 'AccountPayment' and a.transaction_id is not null then o.attempt_id
    when a.subject = 'CardPayment' and a.transaction_id <> c.paid_by then paid.attempt_id end,
  case a.state when 'SETTLED' then 'Answered' when 'CALLING' then 'Stored' else 'Silent' end
from issuer_attempt a
cross join lateral (select lpad((('x' || right(a.attempt_id::text, 6))::bit(24)::integer % 999999 + 1)::text, 6, '0') as stan) n
left join card_payment c on c.payee_id = a.payee_id and c.payment_id = a.payment_id
left join card_transaction t on t.payee_id = a.payee_id and t.transaction_id = a.transaction_id
left join card_transaction paid on paid.payee_id = c.payee_id and paid.transaction_id = c.paid_by
left join payment p on p.payee_id = a.payee_id and p.payment_id = a.payment_id
left join payment_transaction s on s.payee_id = a.payee_id and s.transaction_id = a.transaction_id
left join issuer_attempt o
  on o.payee_id = a.payee_id and o.payment_id = a.payment_id and o.transaction_id is null and a.transaction_id is not null
on conflict do nothing;

-- The next number for messages of a terminal. Instances take blocks, so that the database is not asked for each.
create table acquirer_stan (
  acquirer text not null,
  terminal_id text not null,
  next_stan integer not null,

  constraint acquirer_stan_pkey primary key (acquirer, terminal_id),
  constraint next_stan_in_range check (next_stan between 1 and 999900)
);

-- An advice that no answer came to counts as done, and is repeated until it is acknowledged.
alter table issuer_attempt
  drop constraint attempt_state_is_known,
  add constraint attempt_state_is_known
    check (state in ('CALLING', 'SETTLED', 'REVERSING', 'REVERSED', 'FORWARDING')) not valid;
