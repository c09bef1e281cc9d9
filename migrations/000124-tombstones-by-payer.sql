-- no transaction
-- What the tombstones of a payer still say, who asks to be erased.

drop index concurrently if exists payer_token_deleted_by_payer;
create index concurrently payer_token_deleted_by_payer on payer_token (payee_id, payer_reference) where state = 'Deleted';
