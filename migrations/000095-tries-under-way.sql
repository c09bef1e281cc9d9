-- no transaction
-- Counts how many tries of a card wait for their issuer: the limits of schemes hold for renewals of one moment, too.

drop index concurrently if exists card_transaction_by_card_under_way;
create index concurrently card_transaction_by_card_under_way on card_transaction (payee_id, card_digest)
  where state = 'Initialized' and card_digest is not null;
