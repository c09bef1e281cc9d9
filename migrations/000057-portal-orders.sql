-- Lists of the portal about payment orders.

-- Payments that stand for themselves, by state and kind: a leg is shown with its order, and costs these indexes nothing.
drop index payment_by_state;
create index payment_by_state on payment (payee_id, state, operation, payment_id)
  where state <> 'CALLING' and order_id is null;
drop index card_payment_by_state;
create index card_payment_by_state on card_payment (payee_id, state, (paid_by is null), operation, payment_id)
  where operation <> '' and order_id is null;

-- Lists walk the primary key, whose order is that of time.
drop index payment_order_by_time;
create index payment_order_by_status on payment_order (payee_id, status, order_id);
create index payment_order_by_reference
  on payment_order (payee_id, ((terms #>> '{payeeInfo,orderReference}') collate "C"))
  where (terms #>> '{payeeInfo,orderReference}') is not null;
create index order_transaction_by_number on order_transaction (payee_id, number);
-- What people read out of a card or a gift card.
create index order_leg_by_last_four on order_leg (payee_id, right(name, 4), order_id);
