-- no transaction
-- The gift cards that a payer has bought: what is stored of the payer leads to them.

drop index concurrently if exists gift_card_by_payer;
create index concurrently gift_card_by_payer on gift_card (payee_id, payer_reference) where payer_reference is not null;
