-- no transaction
-- What a sale has of the VAT of an order is found by what the ledger calls its part: `ledger sales` read all parts of the payee for each sale.

drop index concurrently if exists order_part_by_own;
create index concurrently order_part_by_own on order_part (payee_id, own_id);
