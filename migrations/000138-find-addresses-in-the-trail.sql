-- no transaction
-- The job looks for addresses that have ended: people's rows alone have one.

drop index concurrently if exists audit_by_address_time;
create index concurrently audit_by_address_time on audit (happened_at) where details ? 'address';
