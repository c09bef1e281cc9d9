-- What making a payment order costs.

-- Whether a payee has stored value in a currency is asked with each order and each opening of its page. Without this index a
-- payee with a million gift cards in one currency had all of them read for an order in another.
create index account_by_currency on account (payee_id, currency) where kind = 'StoredValue';

-- Written with the order, in one statement after the other: a foreign key would look the order up and lock it once more for each
-- row. Nothing deletes an order.
alter table order_history drop constraint order_of_history_exists;
alter table order_payer drop constraint order_of_payer_exists;
