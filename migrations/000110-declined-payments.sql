-- no transaction
-- Payments and orders with an attempt that was declined: the list of them, and the reasons, walk these. Their first condition
-- keeps other statements from them: see 000069.

drop index concurrently if exists card_payment_declined;
create index concurrently card_payment_declined on card_payment (payee_id, payment_id)
  where failed_tries > 0 and operation <> '';

drop index concurrently if exists payment_order_declined;
create index concurrently payment_order_declined on payment_order (payee_id, order_id)
  where failed_tries > 0 and status <> '';
