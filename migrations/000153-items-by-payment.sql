-- no transaction
-- What acquirers have kept of each sale is looked up with the sale, where reports are of many.

drop index concurrently if exists settlement_item_by_payment;
create index concurrently settlement_item_by_payment on settlement_item (payee_id, payment_id);
