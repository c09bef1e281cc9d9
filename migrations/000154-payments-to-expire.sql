-- no transaction
-- Card payments that end by themselves. One of an order ends with that: those of orders that gift cards alone have paid stood in the index
-- before for ever, and were looked at every five seconds.

drop index concurrently if exists card_payment_to_expire;
create index concurrently card_payment_to_expire on card_payment (expires_at)
  where state = 'Ready' and paid_by is null and order_id is null;

drop index concurrently if exists card_payment_by_expiry;
