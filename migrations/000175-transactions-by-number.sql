-- no transaction
-- Whether a number is given once is looked at block by block.

drop index concurrently if exists card_transaction_by_number;
create index concurrently card_transaction_by_number on card_transaction (payee_id, number) where number > 0;
