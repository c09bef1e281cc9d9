-- no transaction
-- The items of a payee's day in the order in which a table shows them, page after page. It begins with the day: by a payee and an attempt
-- there must be one index alone that a look-up can take.

drop index concurrently if exists settlement_item_of_day;
create index concurrently settlement_item_of_day on settlement_item (day, payee_id, attempt_id, type);
