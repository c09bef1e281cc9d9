-- Sales that were answered before an outage of three days belonged to no business day: answers were searched three days back.
-- Now each acquirer has a mark to where its answers were collected, and the days that have something and are not closed are
-- rows, so that a day of any age is found without reading all sales.

create table settlement_mark (
  acquirer text collate "C" not null,
  collected_to timestamptz not null,

  constraint settlement_mark_pkey primary key (acquirer)
);

create table settlement_open_day (
  payee_id uuid not null,
  agreement text collate "C" not null,
  currency text collate "C" not null,
  day date not null,
  acquirer text collate "C" not null,

  constraint settlement_open_day_pkey primary key (payee_id, agreement, currency, day)
);
