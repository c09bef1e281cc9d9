-- Acquirers number batches within a merchant number: two of one name, each for another number, are two batches. What names a batch in the
-- tables, batch_id, is ours from now on; of batches that are there it stays the name.
--
-- stops settlement_batch, settlement_withdrawal: files are imported a few times a day

alter table settlement_batch
  -- As the acquirer's file has it.
  add column name text collate "C",
  -- The merchant number that its first Payout names.
  add column merchant_id text collate "C";

update settlement_batch b
set name = b.batch_id, merchant_id = coalesce((
  select l.merchant_id from settlement_line l
  where l.payee_id = b.payee_id and l.acquirer = b.acquirer and l.batch_id = b.batch_id and l.type = 'Payout'
  order by length(l.line_id), l.line_id
  limit 1
), '');

alter table settlement_batch
  alter column name set not null,
  alter column merchant_id set not null,
  add constraint batch_name_is_one_of_its_merchant_number unique (payee_id, acquirer, merchant_id, name);

alter table settlement_withdrawal
  add column name text collate "C",
  add column merchant_id text collate "C";

update settlement_withdrawal w
set name = w.batch_id, merchant_id = coalesce((
  select l.line ->> 'merchant_id' from settlement_withdrawn_line l
  where l.payee_id = w.payee_id and l.withdrawal_id = w.withdrawal_id and l.line ->> 'type' = 'Payout'
  order by length(l.line_id), l.line_id
  limit 1
), '');

alter table settlement_withdrawal
  alter column name set not null,
  alter column merchant_id set not null;
