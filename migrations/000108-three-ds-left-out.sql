-- Members of single messages of directory servers that were not of their form, and so left out: for people who have to tell a scheme.
-- `kontor doctor` shows it, and nothing else reads it. A few rows for each scheme.
create table three_ds_left_out (
  scheme text collate "C" not null,
  -- `ARes` or `RReq`.
  message_type text collate "C" not null,
  member text collate "C" not null,
  -- How many messages had it.
  times bigint not null,
  last_seen_at timestamptz not null,

  constraint three_ds_left_out_pkey primary key (scheme, message_type, member),
  constraint times_is_a_count check (times > 0)
);
