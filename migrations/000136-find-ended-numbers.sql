-- no transaction
-- The job looks for digests that have ended.

drop index concurrently if exists account_by_number_end;
create index concurrently account_by_number_end on account (number_ends_at)
  where kind = 'External' and number_key_id collate "C" <> 'none';
