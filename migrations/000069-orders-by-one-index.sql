-- One index for each look-up of payment orders. While a table is nearly empty every index that begins with the payee costs the same,
-- and a connection keeps the plan that it has made then: each order was read by all transactions of its payee, and each leg
-- changed by all its legs. What lists and searches of the portal walk is for these alone: they say its condition, which all rows fulfil.

drop index payment_order_by_status;
create index payment_order_by_status on payment_order (payee_id, status, order_id) where status <> '';
drop index payment_order_by_number;
create index payment_order_by_number on payment_order (payee_id, number) where number > 0;
drop index order_transaction_by_number;
create index order_transaction_by_number on order_transaction (payee_id, number) where number > 0;
drop index order_leg_by_last_four;
create index order_leg_by_last_four on order_leg (payee_id, right(name, 4), order_id) where name <> '';

-- No statement asks for parts by these.
drop index order_part_by_leg;
drop index order_part_by_own;

-- Written in the transaction that has locked their order, or with it: a foreign key would look it up and lock it once more for
-- each row, and it is looked up twice for each part. Nothing deletes an order, a leg or a transaction,
-- and `ledger verify` finds what belongs to none.
alter table order_leg drop constraint order_of_leg_exists;
alter table order_transaction drop constraint order_of_transaction_exists;
alter table order_part drop constraint transaction_of_part_exists, drop constraint leg_of_part_exists;
