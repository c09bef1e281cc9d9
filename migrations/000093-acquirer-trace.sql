-- Messages on the lines to acquirers, masked before they come here: for those who ask what was said. A list in the code says which
-- values are shown; of all others nothing but their place is kept. Rows are deleted after the days that the settings say.

create table acquirer_trace (
  -- UUID version 7, made when the message passed.
  trace_id uuid not null,
  happened_at timestamptz not null,
  acquirer text collate "C" not null,
  -- As in `h2h.example.com:9100`.
  site text not null,
  -- Whether we have sent it.
  is_ours boolean not null,
  -- MTI, as in `1100`.
  message_type text not null,
  -- Field 37, which a payment has for life; null of what is about no payment.
  retrieval_reference text collate "C",
  action_code text,
  -- A list of `[number, name, value]`.
  message_fields jsonb not null,
  -- Messages before it that are not here, because there were too many at once.
  left_out bigint not null,

  constraint acquirer_trace_pkey primary key (trace_id),
  constraint left_out_is_a_count check (left_out >= 0)
);
create index acquirer_trace_by_reference on acquirer_trace (retrieval_reference, trace_id) where retrieval_reference is not null;
