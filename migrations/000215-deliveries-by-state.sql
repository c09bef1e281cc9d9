-- no transaction
-- The log of a webhook is asked for by the state of deliveries: a few of one state may lie behind a million of another.

drop index concurrently if exists delivery_by_state;
create index concurrently delivery_by_state on delivery (payee_id, webhook_id, state collate "C", position);
