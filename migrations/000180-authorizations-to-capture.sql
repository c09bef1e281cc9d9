-- no transaction
-- The same list of account payments and of orders, those that end first in front.

drop index concurrently if exists payment_to_capture;
create index concurrently payment_to_capture on payment (payee_id, hold_expires_at, payment_id)
  -- All of them are: said so that no other question about holds takes this index for its own.
  where hold_expires_at is not null and order_id is null and state = 'OK';

drop index concurrently if exists payment_order_to_capture;
create index concurrently payment_order_to_capture on payment_order (payee_id, authorized_until, order_id)
  where authorized_until is not null;
