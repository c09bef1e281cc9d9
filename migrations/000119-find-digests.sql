-- no transaction
-- A rotation finds and counts the rows that use the old key, and a job the cards whose digests are over.

drop index concurrently if exists payer_token_by_identity_key;
create index concurrently payer_token_by_identity_key on payer_token (identity_key_id);
drop index concurrently if exists account_by_number_key;
create index concurrently account_by_number_key on account (number_key_id collate "C");
drop index concurrently if exists card_transaction_by_digest_time;
create index concurrently card_transaction_by_digest_time on card_transaction (created_at) where card_digest is not null;
