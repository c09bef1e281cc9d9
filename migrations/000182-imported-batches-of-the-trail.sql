-- no transaction
-- Who imported which batches, and of which files: the portal lists them.

drop index concurrently if exists audit_by_imported_batch;
create index concurrently audit_by_imported_batch on audit (payee_id, audit_id) where action = 'import-settlement-batch';
