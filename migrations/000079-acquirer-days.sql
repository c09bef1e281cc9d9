-- Which business day an acquirer says has begun (ISO 8583, the cut-over). It was kept by the process that heard of it, and believed
-- for ever. A row for each acquirer.

create table acquirer_day (
  acquirer text collate "C" not null,
  day date not null,
  told_at timestamptz not null,
  -- The next cut-over by the clock: from then on it counts no more, whether the acquirer tells of the next day or not.
  ends_at timestamptz not null,

  constraint acquirer_day_pkey primary key (acquirer)
);
