-- no transaction
-- The tokens of a payer whose cards were replaced: few, and asked for by every line of an import without a GUID.

drop index concurrently if exists payer_token_with_former_cards;
create index concurrently payer_token_with_former_cards on payer_token (payee_id, payer_reference) where former_cards is not null;
