-- no transaction
-- Events that wait for their feed are looked for payee by payee: those of a feed that is set aside do not stand before all others.

drop index concurrently if exists event_pending_by_payee;
create index concurrently event_pending_by_payee on event_pending (payee_id, happened_at);

drop index concurrently if exists event_pending_by_time;
