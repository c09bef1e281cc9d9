-- no transaction
-- What a sale has of the VAT of an order is found by what the ledger calls its part: `ledger sales` read all parts of the payee for each sale.
-- The payee is not in it: on an empty table the planner would take such an index for the primary key.

drop index concurrently if exists order_part_by_own;
create index concurrently order_part_by_own on order_part (own_id);
