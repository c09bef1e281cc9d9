-- What a payee's programs have sent to the API lately, for whoever wants to know why a request failed. Masked before it
-- is kept: a member that is not known to be harmless is hidden. Rows are deleted after some days.

create table api_call (
  payee_id uuid not null references payee,
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

  primary key (payee_id, call_id),
  constraint status_is_of_http check (status between 100 and 599)
);
create index api_call_by_session on api_call (payee_id, session_id);
create index api_call_by_resource on api_call (payee_id, resource_id) where resource_id is not null;

-- Calls that were left out because there were too many at once.
create table api_call_gap (
  payee_id uuid not null references payee,
  minute timestamptz not null,
  calls bigint not null,

  primary key (payee_id, minute)
);
