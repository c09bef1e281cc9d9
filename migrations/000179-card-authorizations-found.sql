-- no transaction
-- Card payments of which something is held until then: for the job that ends them.

drop index concurrently if exists card_payment_by_authorization;
create index concurrently card_payment_by_authorization on card_payment (authorized_until)
  where authorized_until is not null and captured + cancelled < amount;
