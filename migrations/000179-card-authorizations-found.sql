-- no transaction
-- Card payments of which something is held until then: for the job that ends them, and for the list of a payee. What is captured is no
-- column of them, so that a capture of a part writes no index.

drop index concurrently if exists card_payment_by_authorization;
create index concurrently card_payment_by_authorization on card_payment (authorized_until) where authorized_until is not null;

drop index concurrently if exists card_payment_to_capture;
create index concurrently card_payment_to_capture on card_payment (payee_id, authorized_until, payment_id)
  where authorized_until is not null;
